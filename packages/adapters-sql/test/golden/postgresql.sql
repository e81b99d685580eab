

SET statement_timeout = 0;
SET lock_timeout = 0;
SET idle_in_transaction_session_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
SET xmloption = content;
SET client_min_messages = warning;
SET row_security = off;

CREATE FUNCTION public.blocks_with_tokens(wanted integer[], lowest bigint, highest bigint, most integer) RETURNS SETOF bigint
    LANGUAGE sql STABLE ROWS 100
    SET enable_seqscan TO 'off'
    AS $$
  SELECT block FROM search_blocks
  WHERE (tokens @> wanted OR tokens @> ARRAY[0]) AND block + 0 >= lowest AND block + 0 <= highest
  ORDER BY block + 0 LIMIT most
$$;

SET default_tablespace = '';

SET default_table_access_method = heap;

CREATE TABLE public.artefacts (
    kind text NOT NULL COLLATE pg_catalog."C",
    hash text NOT NULL COLLATE pg_catalog."C",
    name text COLLATE pg_catalog."C",
    client bigint,
    grant_hash text COLLATE pg_catalog."C",
    session text COLLATE pg_catalog."C",
    sub text COLLATE pg_catalog."C",
    predecessor text COLLATE pg_catalog."C",
    expires_at bigint NOT NULL,
    removable_from bigint NOT NULL,
    consumed_at bigint,
    consumed_by text COLLATE pg_catalog."C",
    successor text COLLATE pg_catalog."C",
    payload text NOT NULL COLLATE pg_catalog."C"
);

CREATE TABLE public.audit_checkpoints (
    number bigint NOT NULL,
    at bigint NOT NULL,
    lowest bigint NOT NULL,
    highest bigint NOT NULL,
    jws text NOT NULL
);

CREATE TABLE public.audit_rows (
    ordinal bigint NOT NULL,
    at bigint NOT NULL,
    client_id text COLLATE pg_catalog."C",
    actor text NOT NULL COLLATE pg_catalog."C",
    entry text NOT NULL,
    mac text NOT NULL COLLATE pg_catalog."C",
    checkpoint bigint,
    actor_name text COLLATE pg_catalog."C"
);

ALTER TABLE public.audit_rows ALTER COLUMN ordinal ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.audit_rows_ordinal_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.authorizations (
    kind text NOT NULL COLLATE pg_catalog."C",
    hash text NOT NULL COLLATE pg_catalog."C",
    client bigint NOT NULL,
    expires_at bigint NOT NULL,
    details text NOT NULL COLLATE pg_catalog."C",
    session text COLLATE pg_catalog."C",
    offline smallint NOT NULL,
    held_by text GENERATED ALWAYS AS (
CASE
    WHEN (offline = 0) THEN session
    ELSE NULL::text
END) STORED COLLATE pg_catalog."C",
    proof text NOT NULL COLLATE pg_catalog."C"
);

CREATE TABLE public.budgets (
    kind text NOT NULL COLLATE pg_catalog."C",
    source text NOT NULL COLLATE pg_catalog."C",
    whole_at bigint NOT NULL
);

CREATE TABLE public.client_gate (
    gate smallint NOT NULL,
    CONSTRAINT client_gate_gate_check CHECK ((gate = 1))
);

CREATE TABLE public.clients (
    ordinal bigint NOT NULL,
    client_id text NOT NULL COLLATE pg_catalog."C",
    registration_id text NOT NULL COLLATE pg_catalog."C",
    version bigint NOT NULL,
    client_id_issued_at bigint NOT NULL,
    client_secret_expires_at bigint,
    registration_access_token_hash text NOT NULL COLLATE pg_catalog."C",
    registered_by text NOT NULL COLLATE pg_catalog."C",
    privileges text NOT NULL COLLATE pg_catalog."C",
    metadata text NOT NULL COLLATE pg_catalog."C",
    credentials text NOT NULL COLLATE pg_catalog."C",
    unused_open smallint NOT NULL,
    used_at bigint,
    suspended_at bigint,
    fingerprint text COLLATE pg_catalog."C",
    token_fingerprint text COLLATE pg_catalog."C",
    statement_issuer text COLLATE pg_catalog."C",
    imported smallint DEFAULT 0 NOT NULL,
    search_text text COLLATE pg_catalog."C",
    search_version bigint,
    indexed_version bigint,
    preceding_token_hash text COLLATE pg_catalog."C",
    waits_since bigint,
    parked_at bigint,
    notice bigint
);

ALTER TABLE public.clients ALTER COLUMN ordinal ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.clients_ordinal_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.consents (
    client bigint NOT NULL,
    sub text NOT NULL COLLATE pg_catalog."C",
    given_at bigint NOT NULL,
    sealed text NOT NULL COLLATE pg_catalog."C"
);

CREATE TABLE public.end_user_sessions (
    ordinal bigint NOT NULL,
    cookie_hash text NOT NULL COLLATE pg_catalog."C",
    sid text NOT NULL COLLATE pg_catalog."C",
    sub text NOT NULL COLLATE pg_catalog."C",
    auth_time bigint NOT NULL,
    used_at bigint NOT NULL,
    idle_lifetime bigint NOT NULL,
    expires_at bigint NOT NULL,
    over_at bigint NOT NULL,
    declined text NOT NULL COLLATE pg_catalog."C",
    version bigint NOT NULL,
    proof text NOT NULL COLLATE pg_catalog."C"
);

ALTER TABLE public.end_user_sessions ALTER COLUMN ordinal ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.end_user_sessions_ordinal_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.ending_confirmations (
    confirmation text NOT NULL COLLATE pg_catalog."C",
    remembered_until bigint NOT NULL
);

CREATE TABLE public.foreign_keys (
    ordinal bigint NOT NULL,
    kid text NOT NULL COLLATE pg_catalog."C",
    key text NOT NULL COLLATE pg_catalog."C",
    proof text NOT NULL COLLATE pg_catalog."C"
);

ALTER TABLE public.foreign_keys ALTER COLUMN ordinal ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.foreign_keys_ordinal_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.initial_access_tokens (
    hash text NOT NULL COLLATE pg_catalog."C",
    scope text NOT NULL COLLATE pg_catalog."C",
    expires_at bigint NOT NULL,
    proof text NOT NULL COLLATE pg_catalog."C",
    owner bigint,
    issued_by text COLLATE pg_catalog."C"
);

CREATE TABLE public.instances (
    id text NOT NULL COLLATE pg_catalog."C",
    seen_at bigint NOT NULL,
    instance text NOT NULL COLLATE pg_catalog."C"
);

CREATE TABLE public.key_rings (
    alg text NOT NULL COLLATE pg_catalog."C",
    use text NOT NULL COLLATE pg_catalog."C",
    version bigint NOT NULL,
    sealed text NOT NULL COLLATE pg_catalog."C"
);

CREATE TABLE public.keyed_registrations (
    key text NOT NULL COLLATE pg_catalog."C",
    client bigint NOT NULL,
    request text NOT NULL COLLATE pg_catalog."C",
    expires_at bigint NOT NULL
);

CREATE TABLE public.leases (
    name text NOT NULL COLLATE pg_catalog."C",
    holder text NOT NULL COLLATE pg_catalog."C",
    until bigint NOT NULL
);

CREATE TABLE public.notifications (
    ordinal bigint NOT NULL,
    id text NOT NULL COLLATE pg_catalog."C",
    client bigint NOT NULL,
    uri text NOT NULL COLLATE pg_catalog."C",
    receiver text NOT NULL COLLATE pg_catalog."C",
    alg text NOT NULL COLLATE pg_catalog."C",
    sub text NOT NULL COLLATE pg_catalog."C",
    sid text NOT NULL COLLATE pg_catalog."C",
    created_at bigint NOT NULL,
    attempts bigint NOT NULL,
    due_at bigint NOT NULL,
    failed smallint NOT NULL,
    note text NOT NULL COLLATE pg_catalog."C",
    claimed_by text COLLATE pg_catalog."C",
    claimed_until bigint
);

ALTER TABLE public.notifications ALTER COLUMN ordinal ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.notifications_ordinal_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.observed_days (
    day bigint NOT NULL
);

CREATE TABLE public.operator_tokens (
    hash text NOT NULL COLLATE pg_catalog."C",
    privileges text NOT NULL COLLATE pg_catalog."C",
    name text COLLATE pg_catalog."C",
    issued_at bigint NOT NULL,
    expires_at bigint NOT NULL,
    issued_by text NOT NULL COLLATE pg_catalog."C",
    proof text NOT NULL COLLATE pg_catalog."C"
);

CREATE TABLE public.provider_events (
    transaction xid8 DEFAULT pg_current_xact_id() NOT NULL,
    ordinal bigint NOT NULL,
    event text NOT NULL COLLATE pg_catalog."C"
);

ALTER TABLE public.provider_events ALTER COLUMN ordinal ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.provider_events_ordinal_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.receipts (
    id text NOT NULL COLLATE pg_catalog."C",
    rows bigint NOT NULL,
    written_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL
);

CREATE TABLE public.removed_clients (
    ordinal bigint NOT NULL,
    client_id text NOT NULL COLLATE pg_catalog."C",
    registration_id text NOT NULL COLLATE pg_catalog."C",
    version bigint NOT NULL,
    client_id_issued_at bigint NOT NULL,
    client_secret_expires_at bigint,
    registration_access_token_hash text NOT NULL COLLATE pg_catalog."C",
    preceding_token_hash text COLLATE pg_catalog."C",
    registered_by text NOT NULL COLLATE pg_catalog."C",
    privileges text NOT NULL COLLATE pg_catalog."C",
    metadata text NOT NULL COLLATE pg_catalog."C",
    suspended_at bigint,
    credentials text NOT NULL COLLATE pg_catalog."C",
    token_fingerprint text COLLATE pg_catalog."C",
    statement_issuer text COLLATE pg_catalog."C",
    imported smallint NOT NULL,
    removed_at bigint NOT NULL
);

ALTER TABLE public.removed_clients ALTER COLUMN ordinal ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.removed_clients_ordinal_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.schema_version (
    product text NOT NULL COLLATE pg_catalog."C",
    version bigint NOT NULL,
    works_with bigint NOT NULL
);

CREATE TABLE public.search_blocks (
    block bigint NOT NULL,
    tokens integer[] NOT NULL
);

CREATE TABLE public.secrets (
    name text NOT NULL COLLATE pg_catalog."C",
    sealed text NOT NULL COLLATE pg_catalog."C"
);

CREATE TABLE public.session_clients (
    session bigint NOT NULL,
    place integer NOT NULL,
    client bigint NOT NULL,
    sub text NOT NULL COLLATE pg_catalog."C",
    sid text NOT NULL COLLATE pg_catalog."C"
);

CREATE TABLE public.tombstones (
    ordinal bigint NOT NULL,
    id text NOT NULL COLLATE pg_catalog."C",
    until bigint NOT NULL
);

ALTER TABLE public.tombstones ALTER COLUMN ordinal ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.tombstones_ordinal_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

INSERT INTO public.artefacts (kind, hash, name, client, grant_hash, session, sub, predecessor, expires_at, removable_from, consumed_at, consumed_by, successor, payload) VALUES ('session', 'alone-session______________________________', NULL, NULL, NULL, NULL, NULL, NULL, 1700003600, 1700003600, NULL, NULL, NULL, 'v2.vhZi-PMj08HS.TiDRfDp2HqrEa19yxZeviZaXueJKXcpkJQAo4Yn_DnALYnzmuvASAL-pmJY5mAo81m16Uw9RCTFkm-ZucMTHVSbLlrOAZi77787NTLwr0O6OvN7aXo1F8bHX04HgcYfY-S34a46JVAZyicIdOHsptbg');
INSERT INTO public.artefacts (kind, hash, name, client, grant_hash, session, sub, predecessor, expires_at, removable_from, consumed_at, consumed_by, successor, payload) VALUES ('grant', 'alone-grant________________________________', NULL, NULL, NULL, NULL, NULL, NULL, 1700003600, 1700003600, NULL, NULL, NULL, 'v2.vhZi-PMj08HS.mD7k2cT_Jzsiy4QdOEvlWew3UuR65ZUIdwM_0HFVZu_VAvNrKrvsA96MPU9yW3j-TRcR1ajEBuiN1sluH6KhTLAKKVc_EIy-rM3t3U2DubS14YWd6Jz5K2Hs7Zc-aS4_O6Fr5MUoJbgbIEgma6YVfcI');
INSERT INTO public.artefacts (kind, hash, name, client, grant_hash, session, sub, predecessor, expires_at, removable_from, consumed_at, consumed_by, successor, payload) VALUES ('authorization_code', 'alone-authorization_code___________________', NULL, NULL, NULL, NULL, NULL, NULL, 1700003600, 1700003600, NULL, NULL, NULL, 'v2.vhZi-PMj08HS.lxOda11_vV07pTTVrfiRJ7tFl5sUk8b9Pn-qhdnAEwM3K80Ove1W3zNpmhgJirssYx289_D2vyoEVf6s2k5ObKxgIcaOnIXDgtA5PmHlcbl___V9uh-eWlzHNdj1hc-ulV337T9V8J2DK2Isghe-WsQ');
INSERT INTO public.artefacts (kind, hash, name, client, grant_hash, session, sub, predecessor, expires_at, removable_from, consumed_at, consumed_by, successor, payload) VALUES ('access_token', 'alone-access_token_________________________', NULL, NULL, NULL, NULL, NULL, NULL, 1700003600, 1700003600, NULL, NULL, NULL, 'v2.vhZi-PMj08HS.mksy5LMxE8o-AzcbR7xPnKM9FXq66IpOC28FZ8eBnwJwD5HJvOwjWzsTIWkBr_dGo3fc27Cogkf_2-DgKfbgDlPzA7G0QGdxlSLZpbp7nt3_EjGjs-WBkD49IV--YdrAoFXgf6OJMI_OEqUHRwNZQnM');
INSERT INTO public.artefacts (kind, hash, name, client, grant_hash, session, sub, predecessor, expires_at, removable_from, consumed_at, consumed_by, successor, payload) VALUES ('refresh_token', 'alone-refresh_token________________________', NULL, NULL, NULL, NULL, NULL, NULL, 1700003600, 1700003600, NULL, NULL, NULL, 'v2.vhZi-PMj08HS.xGoYC7C5GFSnvbPWddAWBbp2ffMwvYK5z2s3hqXclOa50KxMmGJPZirRU50rPu1dv0EdV2-izf49seiJ96Gl9Lfrt55t7jiXZ4WAwdCB9sv0iqPsoA2Lez19eUdKGZZAC5YWmLrzrMExwZVh0qbvnu0');
INSERT INTO public.artefacts (kind, hash, name, client, grant_hash, session, sub, predecessor, expires_at, removable_from, consumed_at, consumed_by, successor, payload) VALUES ('client_credentials', 'alone-client_credentials___________________', NULL, NULL, NULL, NULL, NULL, NULL, 1700003600, 1700003600, NULL, NULL, NULL, 'v2.vhZi-PMj08HS.cvSbyMH2nODH-S5zDTpKoDVNumF5uVaAv1fbProryQ71IVyAiWI7lAK-C-yPKo9r9BjXyI6j4TbNJvslo4FN1GoeCA4e775sZIRCqAJWMwiwFiFRVyfwWFcFJebXEol9gTPPCOiDW_4VUP4BsnqTqfs');
INSERT INTO public.artefacts (kind, hash, name, client, grant_hash, session, sub, predecessor, expires_at, removable_from, consumed_at, consumed_by, successor, payload) VALUES ('interaction', 'alone-interaction__________________________', NULL, NULL, NULL, NULL, NULL, NULL, 1700003600, 1700003600, NULL, NULL, NULL, 'v2.vhZi-PMj08HS.k6-fP6KBtxXlPqky3QEeBY_ehsagvlhO4TZcHCj2d7Zsz4yasIgMlbOFxSWCZIX9v3ZCJ4h5sc_hyNxJuPKvjY1MuwxIhjiHqvYyG_MJp4L-bAvomUuy4Q_Sw8n5iiR5y7f87r6qulgSiJ30qLlOSWA');
INSERT INTO public.artefacts (kind, hash, name, client, grant_hash, session, sub, predecessor, expires_at, removable_from, consumed_at, consumed_by, successor, payload) VALUES ('pushed_authorization_request', 'alone-pushed_authorization_request_________', NULL, NULL, NULL, NULL, NULL, NULL, 1700003600, 1700003600, NULL, NULL, NULL, 'v2.vhZi-PMj08HS.E0dUOpRGzXMqod6PaTAkzTT5VpQDGn-n-eSULq0Mv-RsO5zOJnLLzv9hj-LiCxsgqXcsLqunpziJUNwfjXDlJMOXv1wFleDOcpyqHkKlnwvHt0Yr595oHzkn1t7DIsb6mO61oiU3oEGy_3pcRfs9TVw');
INSERT INTO public.artefacts (kind, hash, name, client, grant_hash, session, sub, predecessor, expires_at, removable_from, consumed_at, consumed_by, successor, payload) VALUES ('replay', 'alone-replay_______________________________', NULL, NULL, NULL, NULL, NULL, NULL, 1700003600, 1700003600, NULL, NULL, NULL, 'v2.vhZi-PMj08HS.lMybc0mOE-oY5EuaGhP85zTv3nGp3eEI8XkY58pq8i32FumaLq0LW8TTMa572lXNNc6C9Bwd1ZTHw_uLc3tvM8Iavt10d0T_xVtRx1JF7_kI7tbISIKoiuLu1x-etoWRUAlxlF9WJO6YbvO19uc6RIw');
INSERT INTO public.artefacts (kind, hash, name, client, grant_hash, session, sub, predecessor, expires_at, removable_from, consumed_at, consumed_by, successor, payload) VALUES ('account', 'alone-account______________________________', NULL, NULL, NULL, NULL, NULL, NULL, 1700003600, 1700003600, NULL, NULL, NULL, 'v2.vhZi-PMj08HS.YO65QtvoK6rXnf2XYfrowHyDovN5UBmKEkN-2SKaz9Y2ZTNRuzlUHohNBDGjN0FmFs3vRW6QyksuzDpXfEIICtHXpm8LeSAEEy7ly3h-h9OAT5cCxjlc-WKdfMQtxnwORyGuen1phuULXMhbZwnMTC8');
INSERT INTO public.artefacts (kind, hash, name, client, grant_hash, session, sub, predecessor, expires_at, removable_from, consumed_at, consumed_by, successor, payload) VALUES ('logout_elsewhere', 'alone-logout_elsewhere_____________________', NULL, NULL, NULL, NULL, NULL, NULL, 1700003600, 1700003600, NULL, NULL, NULL, 'v2.vhZi-PMj08HS.0B-RDato0hgjZ6EeQc6FksrnS_WB4UA1hcB4II1uwFtlTRwpr5DQOPSNMlZLRTdNUo0CRtLs3BKUcP_SGOLuLl2EUNk81hKitWz9Dt8ljATAWZMlg3znwl6bUH9Fagv_FVWRxEp4izpNXj1UhyRRLl4');
INSERT INTO public.artefacts (kind, hash, name, client, grant_hash, session, sub, predecessor, expires_at, removable_from, consumed_at, consumed_by, successor, payload) VALUES ('document', 'alone-document_____________________________', NULL, NULL, NULL, NULL, NULL, NULL, 1700003600, 1700003600, NULL, NULL, NULL, 'v2.vhZi-PMj08HS.pqHoguPuAUPtN9dsaErxcQIoKrZQR7d_Q9EDmpRekevnCrfoa16BiEQtqfhx-A0Vq5iwyx9kEDH2cjaOnD5sgGL8HdhUZfQ9007WJDB49orF2bC74pEV4dC50Ubm12bZ6qf-92mzT-_wsBXUlH5EOhE');
INSERT INTO public.artefacts (kind, hash, name, client, grant_hash, session, sub, predecessor, expires_at, removable_from, consumed_at, consumed_by, successor, payload) VALUES ('grant', 'grant______________________________________', NULL, 1, NULL, NULL, 'zoe', NULL, 1700003600, 1700003600, NULL, NULL, NULL, 'v2.vhZi-PMj08HS.VTR1Zu5OKgqmQ372wWGuQ0BWUckboL-VnzFu_DPjzn0WQs0FdFFYEM8Cj6PvTdrwfQqCaZAwLSoGw524FrP_YPudcDnN3V1ymzDYOAm3eneE6BREV_9gS1_6Wl5-_bfD0i5Kk5vBviE_hkzZ6o_aVyw');
INSERT INTO public.artefacts (kind, hash, name, client, grant_hash, session, sub, predecessor, expires_at, removable_from, consumed_at, consumed_by, successor, payload) VALUES ('access_token', 'access_____________________________________', NULL, 1, 'grant______________________________________', 'three', 'zoe', NULL, 1700000001, 1700000001, NULL, NULL, NULL, 'v2.vhZi-PMj08HS.KSoNvgcHJRzySwXqdgSj6GzOsrMatwMyEiSixoTjgJK6XEItjsgsUFD9IR8G95bdXyU4sGUd6KDx1CWh9Vk5o3yP2YRvMD7E5ED8W4hfO7Xvdnr_gcmeEC9j_csSuQzJgXdyw1eJK9gaaFXMCnnwP1M');
INSERT INTO public.artefacts (kind, hash, name, client, grant_hash, session, sub, predecessor, expires_at, removable_from, consumed_at, consumed_by, successor, payload) VALUES ('refresh_token', 'refresh-3__________________________________', NULL, 1, 'grant______________________________________', 'three', 'zoe', 'refresh-2__________________________________', 1700003600, 1700003600, NULL, NULL, NULL, 'v2.vhZi-PMj08HS.ziqwl8n-6LjZhAEuR3gdoZnnm8NRnXYCjMvxRjmK9bSqpXE76L2Bzc78nBudwKVYd2vUWiRdWhFH_1LYNvxOMYCAZvN5lImc1dju5fnN4N0WeFSkog1pfnIXd9L-fm22n4aGfngwiNS_WyKB3BVjJVQ');
INSERT INTO public.artefacts (kind, hash, name, client, grant_hash, session, sub, predecessor, expires_at, removable_from, consumed_at, consumed_by, successor, payload) VALUES ('interaction', 'named______________________________________', 'name_______________________________________', NULL, NULL, NULL, NULL, NULL, 1700003600, 1700003600, NULL, NULL, NULL, 'v2.vhZi-PMj08HS.a9CAVnAE9IE3u6l7O0LgT3-MitvDxX380hn0oCgNMQh72NnjDQjhkg0JiKyW4skPhA4myWahsfDFAaY8KG8N5ME96QvLm4R4o9XSGwNRz5h87yTiAfIfFtQdUJHZqJlY5FdOXrjhmVywwcnMhUhq0As');
INSERT INTO public.artefacts (kind, hash, name, client, grant_hash, session, sub, predecessor, expires_at, removable_from, consumed_at, consumed_by, successor, payload) VALUES ('interaction', 'named-later________________________________', 'name_______________________________________', NULL, NULL, NULL, NULL, NULL, 1700007200, 1700007200, NULL, NULL, NULL, 'v2.vhZi-PMj08HS.UTyuvQm0qaaGA2UNNlNnbWo1ws6kEA7vX4DYPxvfOVJX2TE9_w_HiMKbwPqviDQZ75RSoNEg8WvT-nWPxxut_h6f0K1K3EDIaIZoY6vcN-t4w7gl7Q03pweRgjZa8l5w3dQ1K7LT1ctJbWkcZ-xZgIg');
INSERT INTO public.artefacts (kind, hash, name, client, grant_hash, session, sub, predecessor, expires_at, removable_from, consumed_at, consumed_by, successor, payload) VALUES ('logout_elsewhere', 'elsewhere__________________________________', NULL, NULL, NULL, 'sid "of max"\', 'max', NULL, 1700003600, 1700003600, NULL, NULL, NULL, 'v2.vhZi-PMj08HS.eutzA0TnQ7D_O2XbL9ZkP_yOjNqwVfu_as0sZo97yTbRmr-sz2MhlFk9awmcC8SXSa3oY_FZoPVN0-iKahPYAnDogLyu-NCVl9Hk62Qdh7fmjjGHN1vzdeb1whbkb4mYOgVUEblSRzy10waiCtx6njo');
INSERT INTO public.artefacts (kind, hash, name, client, grant_hash, session, sub, predecessor, expires_at, removable_from, consumed_at, consumed_by, successor, payload) VALUES ('document', 'seen_______________________________________', NULL, 6, NULL, NULL, NULL, NULL, 1700003600, 1700003600, NULL, NULL, NULL, 'v2.vhZi-PMj08HS.MLU-DPyJ3R98RASYXT37rva8z1l5FFcvShedUp0zoC7khIOk_HH5JJQhFTz19SkxDIs');
INSERT INTO public.artefacts (kind, hash, name, client, grant_hash, session, sub, predecessor, expires_at, removable_from, consumed_at, consumed_by, successor, payload) VALUES ('authorization_code', 'code_______________________________________', NULL, 1, 'grant______________________________________', 'three', 'zoe', NULL, 1700003600, 1700003600, 1700000007, '64d4ceb2-04ea-4781-a4ca-ba6645cef816', NULL, 'v2.vhZi-PMj08HS.N6JYDyfQivju_1hVimta3TwpTIjdTDkZeR7Zr-yRo1cIkYQae6pm4CyCpd3AbSZAPuzQCpWRjsnRFwgAk2y47Vwolf1QmDrAMAkLBpPX16pId3lmh93YxMx0XuN6tRDgnwQHHHhOSvKOaAGZ-wIpv7Y');
INSERT INTO public.artefacts (kind, hash, name, client, grant_hash, session, sub, predecessor, expires_at, removable_from, consumed_at, consumed_by, successor, payload) VALUES ('refresh_token', 'refresh-2__________________________________', NULL, 1, 'grant______________________________________', 'three', 'zoe', 'refresh-1__________________________________', 1700003600, 1700003600, 1700000020, '6d27c8b3-2f8d-4081-b51f-ab4d69a1d155', NULL, 'v2.vhZi-PMj08HS.nKfipEgxh97mKrzg9X8ZFmE014VitOeEJmJa8BZBn0vBHDqa2KS5Jy4V77YkEOnkk5QjS-YzoDDthe23socipDMwjVxKhay9oAM6DQ-lqzpZOuoG_n357efR3O3sJ-XnTOFjY5kaPbVtebSAoEzEMTs');
INSERT INTO public.artefacts (kind, hash, name, client, grant_hash, session, sub, predecessor, expires_at, removable_from, consumed_at, consumed_by, successor, payload) VALUES ('refresh_token', 'refresh-1__________________________________', NULL, 1, 'grant______________________________________', 'three', 'zoe', NULL, 1700003600, 1700003600, 1700000010, 'e0b217a4-e02b-4ece-aff3-d547a1d5e835', 'refresh-2__________________________________', 'v2.vhZi-PMj08HS.5F44pfWX3xx3DBolnVSpBExZsVkZRl057XIFRoQXryFRV9eevrWQ_-m6mXftflhHn3Sp8X4ISWVxhYo_qEQihBUzE_1JfvX1eFu0NvUB8e1XQzAUxRSpfKL8GkMka8zqzvqAB8DiJ-1WVMgRR9sp9dI');

INSERT INTO public.audit_checkpoints (number, at, lowest, highest, jws) VALUES (1, 1700000100, 1, 5, 'jws.of.1');
INSERT INTO public.audit_checkpoints (number, at, lowest, highest, jws) VALUES (2, 1700000200, 6, 15, 'jws.of.2');
INSERT INTO public.audit_checkpoints (number, at, lowest, highest, jws) VALUES (3, 1700000300, 16, 21, 'jws.of.3');

INSERT INTO public.audit_rows (ordinal, at, client_id, actor, entry, mac, checkpoint, actor_name) OVERRIDING SYSTEM VALUE VALUES (22, 1700000010, NULL, 'token-print_', '{"nonce":"nonce-21","at":1700000010,"action":"encryption_key_added","actor":{"kind":"initial_access_token","fingerprint":"token-print_"},"origin":{"door":"management","request_id":"request-21"},"members":["client_name","redirect_uris"],"kids":["one","two"]}', 'mac-21_____________________________________', NULL, NULL);
INSERT INTO public.audit_rows (ordinal, at, client_id, actor, entry, mac, checkpoint, actor_name) OVERRIDING SYSTEM VALUE VALUES (6, 1700000002, 'removed-by-client', 'operator-pri', '{"nonce":"nonce-5","at":1700000002,"action":"client_resumed","actor":{"kind":"operator_token","fingerprint":"operator-pri","name":"the laptop \"of Zoë\""},"origin":{"door":"http","request_id":"request-5","address":"192.0.2.1"},"members":["client_name","redirect_uris"],"client_id":"removed-by-client","subject":"zoe"}', 'mac-5______________________________________', 2, 'the laptop "of Zoë"');
INSERT INTO public.audit_rows (ordinal, at, client_id, actor, entry, mac, checkpoint, actor_name) OVERRIDING SYSTEM VALUE VALUES (7, 1700000003, NULL, 'nameless-pri', '{"nonce":"nonce-6","at":1700000003,"action":"client_imported","actor":{"kind":"operator_token","fingerprint":"nameless-pri"},"origin":{"door":"management","request_id":"request-6"},"members":[]}', 'mac-6______________________________________', 2, NULL);
INSERT INTO public.audit_rows (ordinal, at, client_id, actor, entry, mac, checkpoint, actor_name) OVERRIDING SYSTEM VALUE VALUES (8, 1700000003, 'with-secret', 'store', '{"nonce":"nonce-7","at":1700000003,"action":"client_deleted","actor":{"kind":"store","fingerprint":""},"origin":{"door":"socket","request_id":"request-7","address":"192.0.2.1"},"members":["client_name","redirect_uris"],"client_id":"with-secret"}', 'mac-7______________________________________', 2, NULL);
INSERT INTO public.audit_rows (ordinal, at, client_id, actor, entry, mac, checkpoint, actor_name) OVERRIDING SYSTEM VALUE VALUES (9, 1700000004, 'removed-by-client', 'zoe-print___', '{"nonce":"nonce-8","at":1700000004,"action":"client_restored","actor":{"kind":"end_user","fingerprint":"zoe-print___"},"origin":{"door":"command","request_id":"request-8","address":"192.0.2.1"},"members":[],"client_id":"removed-by-client"}', 'mac-8______________________________________', 2, NULL);
INSERT INTO public.audit_rows (ordinal, at, client_id, actor, entry, mac, checkpoint, actor_name) OVERRIDING SYSTEM VALUE VALUES (16, 1700000007, NULL, 'operator-pri', '{"nonce":"nonce-15","at":1700000007,"action":"keys_rolled_over","actor":{"kind":"operator_token","fingerprint":"operator-pri","name":"the laptop \"of Zoë\""},"origin":{"door":"http","request_id":"request-15"},"members":["client_name","redirect_uris"],"subject":"zoe","kids":["one","two"]}', 'mac-15_____________________________________', 3, 'the laptop "of Zoë"');
INSERT INTO public.audit_rows (ordinal, at, client_id, actor, entry, mac, checkpoint, actor_name) OVERRIDING SYSTEM VALUE VALUES (17, 1700000008, 'with-secret', 'nameless-pri', '{"nonce":"nonce-16","at":1700000008,"action":"key_revoked","actor":{"kind":"operator_token","fingerprint":"nameless-pri"},"origin":{"door":"management","request_id":"request-16","address":"192.0.2.1"},"members":[],"client_id":"with-secret","kids":["one","two"]}', 'mac-16_____________________________________', 3, NULL);
INSERT INTO public.audit_rows (ordinal, at, client_id, actor, entry, mac, checkpoint, actor_name) OVERRIDING SYSTEM VALUE VALUES (18, 1700000008, 'removed-by-client', 'store', '{"nonce":"nonce-17","at":1700000008,"action":"keys_imported","actor":{"kind":"store","fingerprint":""},"origin":{"door":"socket","request_id":"request-17","address":"192.0.2.1"},"members":["client_name","redirect_uris"],"client_id":"removed-by-client","kids":["one","two"]}', 'mac-17_____________________________________', 3, NULL);
INSERT INTO public.audit_rows (ordinal, at, client_id, actor, entry, mac, checkpoint, actor_name) OVERRIDING SYSTEM VALUE VALUES (19, 1700000009, NULL, 'zoe-print___', '{"nonce":"nonce-18","at":1700000009,"action":"keys_rotated","actor":{"kind":"end_user","fingerprint":"zoe-print___"},"origin":{"door":"command","request_id":"request-18"},"members":[],"kids":["one","two"]}', 'mac-18_____________________________________', 3, NULL);
INSERT INTO public.audit_rows (ordinal, at, client_id, actor, entry, mac, checkpoint, actor_name) OVERRIDING SYSTEM VALUE VALUES (20, 1700000009, 'with-secret', 'service', '{"nonce":"nonce-19","at":1700000009,"action":"foreign_keys_added","actor":{"kind":"service","fingerprint":""},"origin":{"door":"service","request_id":"request-19","address":"192.0.2.1"},"members":["client_name","redirect_uris"],"client_id":"with-secret","kids":["one","two"]}', 'mac-19_____________________________________', 3, NULL);
INSERT INTO public.audit_rows (ordinal, at, client_id, actor, entry, mac, checkpoint, actor_name) OVERRIDING SYSTEM VALUE VALUES (21, 1700000010, 'removed-by-client', 'anonymous', '{"nonce":"nonce-20","at":1700000010,"action":"foreign_key_removed","actor":{"kind":"anonymous","fingerprint":""},"origin":{"door":"http","request_id":"request-20","address":"192.0.2.1"},"members":[],"client_id":"removed-by-client","subject":"zoe","kids":["one","two"]}', 'mac-20_____________________________________', 3, NULL);
INSERT INTO public.audit_rows (ordinal, at, client_id, actor, entry, mac, checkpoint, actor_name) OVERRIDING SYSTEM VALUE VALUES (23, 1700000011, 'with-secret', 'access-print', '{"nonce":"nonce-22","at":1700000011,"action":"sealing_begun","actor":{"kind":"registration_access_token","fingerprint":"access-print"},"origin":{"door":"socket","request_id":"request-22","address":"192.0.2.1"},"members":[],"client_id":"with-secret"}', 'mac-22_____________________________________', NULL, NULL);
INSERT INTO public.audit_rows (ordinal, at, client_id, actor, entry, mac, checkpoint, actor_name) OVERRIDING SYSTEM VALUE VALUES (24, 1700000011, 'removed-by-client', 'client-print', '{"nonce":"nonce-23","at":1700000011,"action":"encryption_keys_dropped","actor":{"kind":"client","fingerprint":"client-print"},"origin":{"door":"command","request_id":"request-23","address":"192.0.2.1"},"members":["client_name","redirect_uris"],"client_id":"removed-by-client","kids":["one","two"]}', 'mac-23_____________________________________', NULL, NULL);
INSERT INTO public.audit_rows (ordinal, at, client_id, actor, entry, mac, checkpoint, actor_name) OVERRIDING SYSTEM VALUE VALUES (25, 1700000012, NULL, 'master-print', '{"nonce":"nonce-24","at":1700000012,"action":"session_started","actor":{"kind":"master","fingerprint":"master-print"},"origin":{"door":"service","request_id":"request-24"},"members":[]}', 'mac-24_____________________________________', NULL, NULL);
INSERT INTO public.audit_rows (ordinal, at, client_id, actor, entry, mac, checkpoint, actor_name) OVERRIDING SYSTEM VALUE VALUES (26, 1700000012, 'with-secret', 'operator-pri', '{"nonce":"nonce-25","at":1700000012,"action":"session_client_recorded","actor":{"kind":"operator_token","fingerprint":"operator-pri","name":"the laptop \"of Zoë\""},"origin":{"door":"http","request_id":"request-25","address":"192.0.2.1"},"members":["client_name","redirect_uris"],"client_id":"with-secret","subject":"zoe"}', 'mac-25_____________________________________', NULL, 'the laptop "of Zoë"');
INSERT INTO public.audit_rows (ordinal, at, client_id, actor, entry, mac, checkpoint, actor_name) OVERRIDING SYSTEM VALUE VALUES (27, 1700000013, 'removed-by-client', 'nameless-pri', '{"nonce":"nonce-26","at":1700000013,"action":"session_ended","actor":{"kind":"operator_token","fingerprint":"nameless-pri"},"origin":{"door":"management","request_id":"request-26","address":"192.0.2.1"},"members":[],"client_id":"removed-by-client"}', 'mac-26_____________________________________', NULL, NULL);
INSERT INTO public.audit_rows (ordinal, at, client_id, actor, entry, mac, checkpoint, actor_name) OVERRIDING SYSTEM VALUE VALUES (28, 1700000013, NULL, 'store', '{"nonce":"nonce-27","at":1700000013,"action":"notifications_retried","actor":{"kind":"store","fingerprint":""},"origin":{"door":"socket","request_id":"request-27"},"members":["client_name","redirect_uris"]}', 'mac-27_____________________________________', NULL, NULL);
INSERT INTO public.audit_rows (ordinal, at, client_id, actor, entry, mac, checkpoint, actor_name) OVERRIDING SYSTEM VALUE VALUES (29, 1700000014, 'with-secret', 'zoe-print___', '{"nonce":"nonce-28","at":1700000014,"action":"settings_reloaded","actor":{"kind":"end_user","fingerprint":"zoe-print___"},"origin":{"door":"command","request_id":"request-28","address":"192.0.2.1"},"members":[],"client_id":"with-secret"}', 'mac-28_____________________________________', NULL, NULL);
INSERT INTO public.audit_rows (ordinal, at, client_id, actor, entry, mac, checkpoint, actor_name) OVERRIDING SYSTEM VALUE VALUES (30, 1700000002, 'removed-by-client', 'operator-pri', '{"nonce":"nonce-5","at":1700000002,"action":"client_resumed","actor":{"kind":"operator_token","fingerprint":"operator-pri","name":"the laptop \"of Zoë\""},"origin":{"door":"http","request_id":"request-5","address":"192.0.2.1"},"members":["client_name","redirect_uris"],"client_id":"removed-by-client","subject":"zoe"}', 'mac-nameless_______________________________', NULL, NULL);
INSERT INTO public.audit_rows (ordinal, at, client_id, actor, entry, mac, checkpoint, actor_name) OVERRIDING SYSTEM VALUE VALUES (10, 1700000004, NULL, 'service', '{"nonce":"nonce-9","at":1700000004,"action":"client_credentials_read","actor":{"kind":"service","fingerprint":""},"origin":{"door":"service","request_id":"request-9"},"members":["client_name","redirect_uris"]}', 'mac-9______________________________________', 2, NULL);
INSERT INTO public.audit_rows (ordinal, at, client_id, actor, entry, mac, checkpoint, actor_name) OVERRIDING SYSTEM VALUE VALUES (11, 1700000005, 'with-secret', 'anonymous', '{"nonce":"nonce-10","at":1700000005,"action":"all_credentials_read","actor":{"kind":"anonymous","fingerprint":""},"origin":{"door":"http","request_id":"request-10","address":"192.0.2.1"},"members":[],"client_id":"with-secret","subject":"zoe"}', 'mac-10_____________________________________', 2, NULL);
INSERT INTO public.audit_rows (ordinal, at, client_id, actor, entry, mac, checkpoint, actor_name) OVERRIDING SYSTEM VALUE VALUES (12, 1700000005, 'removed-by-client', 'token-print_', '{"nonce":"nonce-11","at":1700000005,"action":"initial_access_token_issued","actor":{"kind":"initial_access_token","fingerprint":"token-print_"},"origin":{"door":"management","request_id":"request-11","address":"192.0.2.1"},"members":["client_name","redirect_uris"],"client_id":"removed-by-client"}', 'mac-11_____________________________________', 2, NULL);
INSERT INTO public.audit_rows (ordinal, at, client_id, actor, entry, mac, checkpoint, actor_name) OVERRIDING SYSTEM VALUE VALUES (13, 1700000006, NULL, 'access-print', '{"nonce":"nonce-12","at":1700000006,"action":"initial_access_token_revoked","actor":{"kind":"registration_access_token","fingerprint":"access-print"},"origin":{"door":"socket","request_id":"request-12"},"members":[]}', 'mac-12_____________________________________', 2, NULL);
INSERT INTO public.audit_rows (ordinal, at, client_id, actor, entry, mac, checkpoint, actor_name) OVERRIDING SYSTEM VALUE VALUES (14, 1700000006, 'with-secret', 'client-print', '{"nonce":"nonce-13","at":1700000006,"action":"operator_token_issued","actor":{"kind":"client","fingerprint":"client-print"},"origin":{"door":"command","request_id":"request-13","address":"192.0.2.1"},"members":["client_name","redirect_uris"],"client_id":"with-secret"}', 'mac-13_____________________________________', 2, NULL);
INSERT INTO public.audit_rows (ordinal, at, client_id, actor, entry, mac, checkpoint, actor_name) OVERRIDING SYSTEM VALUE VALUES (15, 1700000007, 'removed-by-client', 'master-print', '{"nonce":"nonce-14","at":1700000007,"action":"operator_token_revoked","actor":{"kind":"master","fingerprint":"master-print"},"origin":{"door":"service","request_id":"request-14","address":"192.0.2.1"},"members":[],"client_id":"removed-by-client"}', 'mac-14_____________________________________', 2, NULL);

INSERT INTO public.authorizations (kind, hash, client, expires_at, details, session, offline, proof) VALUES ('refresh_token', 'refresh____________________________________', 1, 1700003600, '{"subject":"Zoë","scope":["openid","email"],"consent":{"remembered":true,"at":null}}', NULL, 0, 'v2.vhZi-PMj08HS.7kAFGVrWuoBUFPTosRnlRTEo2KO8AGOasnJV-w');
INSERT INTO public.authorizations (kind, hash, client, expires_at, details, session, offline, proof) VALUES ('access_token', 'for-ever___________________________________', 1, 0, '{"subject":"Zoë","scope":["openid","email"],"consent":{"remembered":true,"at":null}}', NULL, 0, 'v2.vhZi-PMj08HS.ULWaEA5XtdcIC2267CQDaaWNKaBcKAYPxdsSNw');
INSERT INTO public.authorizations (kind, hash, client, expires_at, details, session, offline, proof) VALUES ('access_token', 'of-session_________________________________', 11, 1700003600, '{"subject":"Zoë","scope":["openid","email"],"consent":{"remembered":true,"at":null}}', 'three', 0, 'v2.vhZi-PMj08HS.5B9Md_SfN2xTc4Y6Dm677OjKmhgvXcZgikap1A');
INSERT INTO public.authorizations (kind, hash, client, expires_at, details, session, offline, proof) VALUES ('refresh_token', 'offline-of-session_________________________', 11, 1700003600, '{"subject":"Zoë","scope":["openid","email"],"consent":{"remembered":true,"at":null}}', 'three', 1, 'v2.vhZi-PMj08HS.C2-1wRO45jDpFJ6hsrxr99-11TOzQfc8P90kiQ');
INSERT INTO public.authorizations (kind, hash, client, expires_at, details, session, offline, proof) VALUES ('refresh_token', 'offline-of-ended___________________________', 11, 1700003600, '{"subject":"Zoë","scope":["openid","email"],"consent":{"remembered":true,"at":null}}', 'ended-by-user', 1, 'v2.vhZi-PMj08HS.nULKpP_bekxwBimkH65OPfIWNYxSemRmasQlNg');
INSERT INTO public.authorizations (kind, hash, client, expires_at, details, session, offline, proof) VALUES ('sticky_grant', 'sticky_____________________________________', 6, 1700003600, '{}', NULL, 1, 'v2.vhZi-PMj08HS.kUxhRx6KEG1dtXBju8B6dhQd9Rb2QtAmYEchoA');
INSERT INTO public.authorizations (kind, hash, client, expires_at, details, session, offline, proof) VALUES ('refresh_token', 'expired____________________________________', 1, 1700000001, '{"subject":"Zoë","scope":["openid","email"],"consent":{"remembered":true,"at":null}}', NULL, 0, 'v2.vhZi-PMj08HS.4pMYFRGMx5iJ8bm3Donx2XVY-yYNAktXj6bN4g');

INSERT INTO public.budgets (kind, source, whole_at) VALUES ('credentials', '', 1800000000400);
INSERT INTO public.budgets (kind, source, whole_at) VALUES ('credentials', 'network____________________________________', 1800000002000);
INSERT INTO public.budgets (kind, source, whole_at) VALUES ('credentials', 'source_____________________________________', 1800000004000);
INSERT INTO public.budgets (kind, source, whole_at) VALUES ('registrations', '', 1800000000400);
INSERT INTO public.budgets (kind, source, whole_at) VALUES ('registrations', 'network____________________________________', 1800000002000);
INSERT INTO public.budgets (kind, source, whole_at) VALUES ('registrations', 'source_____________________________________', 1800000004000);
INSERT INTO public.budgets (kind, source, whole_at) VALUES ('logout_pages', '', 1800000000400);
INSERT INTO public.budgets (kind, source, whole_at) VALUES ('logout_pages', 'network____________________________________', 1800000002000);
INSERT INTO public.budgets (kind, source, whole_at) VALUES ('logout_pages', 'source_____________________________________', 1800000004000);
INSERT INTO public.budgets (kind, source, whole_at) VALUES ('authorizations', '', 1800000000400);
INSERT INTO public.budgets (kind, source, whole_at) VALUES ('authorizations', 'network____________________________________', 1800000002000);
INSERT INTO public.budgets (kind, source, whole_at) VALUES ('authorizations', 'source_____________________________________', 1800000004000);
INSERT INTO public.budgets (kind, source, whole_at) VALUES ('documents', '', 1800000000400);
INSERT INTO public.budgets (kind, source, whole_at) VALUES ('documents', 'network____________________________________', 1800000002000);
INSERT INTO public.budgets (kind, source, whole_at) VALUES ('documents', 'source_____________________________________', 1800000004000);

INSERT INTO public.client_gate (gate) VALUES (1);

INSERT INTO public.clients (ordinal, client_id, registration_id, version, client_id_issued_at, client_secret_expires_at, registration_access_token_hash, registered_by, privileges, metadata, credentials, unused_open, used_at, suspended_at, fingerprint, token_fingerprint, statement_issuer, imported, search_text, search_version, indexed_version, preceding_token_hash, waits_since, parked_at, notice) OVERRIDING SYSTEM VALUE VALUES (3, 'without-secret', 'without-secret-first__', 1, 1700000000, NULL, 'without-secret-first_______________________', 'master', '{"grant_types":"any","scope":"any","data":true,"preferred_client_id":true,"preferred_client_secret":true}', '{"redirect_uris":["https://rp.example/cb"],"client_name":"first","application_type":"web","grant_types":["authorization_code"],"id_token_signed_response_alg":"RS256","response_types":["code"],"subject_type":"public","token_endpoint_auth_method":"client_secret_basic"}', 'v2.vhZi-PMj08HS.JbexNOwSLzRm8jF09Z6dUr8GpMkT_D95_8zRX67BYham8o4M8EYDNMRE1GQZ92OGN1oE0w8jsK_4EB2WsfybybuL-iIJXtJsJFqMcoie-pGEs9AWVY_3X2Sjg9oOP1NdGyCphLA', 0, NULL, NULL, NULL, NULL, NULL, 0, 'without-secret
rp.example
first', 1, NULL, NULL, NULL, NULL, NULL);
INSERT INTO public.clients (ordinal, client_id, registration_id, version, client_id_issued_at, client_secret_expires_at, registration_access_token_hash, registered_by, privileges, metadata, credentials, unused_open, used_at, suspended_at, fingerprint, token_fingerprint, statement_issuer, imported, search_text, search_version, indexed_version, preceding_token_hash, waits_since, parked_at, notice) OVERRIDING SYSTEM VALUE VALUES (13, 'replaced-by-import', 'replaced-by-import-first', 2, 1700000000, 1700000060, 'replaced-by-import-by-import_______________', 'token', '{"grant_types":"any","scope":"any","data":true,"preferred_client_id":true,"preferred_client_secret":true}', '{"redirect_uris":["https://rp.example/cb"],"client_name":"by-import","application_type":"web","grant_types":["authorization_code"],"id_token_signed_response_alg":"RS256","response_types":["code"],"subject_type":"public","token_endpoint_auth_method":"client_secret_basic"}', 'v2.3Uu-F0h2dUhX.b_hIvHGXgCMzmaxSf6pxryFCfkSuwzaK0IolV_IV1biNkcJciG8_Oa1G6wXy58JtkMKIvzJXmwWFvUFYjLKq9rBrgukdk_JmhP28NBBqUPYzDhkXVERpG3oJKEg_DNY6WR70J1aVn5K9FghREH5OUhR_yqPuCepLFC4qyrgVRTClOVo_gXLiKvPehdIYH6cEbUwxffUFWJP0JCQ0pCTIsamBW9hZa9wgv3OZurHDaoow_w', 0, 1699660800, NULL, NULL, NULL, NULL, 1, 'replaced-by-import
rp.example
first', NULL, 1, NULL, NULL, NULL, NULL);
INSERT INTO public.clients (ordinal, client_id, registration_id, version, client_id_issued_at, client_secret_expires_at, registration_access_token_hash, registered_by, privileges, metadata, credentials, unused_open, used_at, suspended_at, fingerprint, token_fingerprint, statement_issuer, imported, search_text, search_version, indexed_version, preceding_token_hash, waits_since, parked_at, notice) OVERRIDING SYSTEM VALUE VALUES (12, 'renamed', 'renamed-first_________', 2, 1700000000, 1700000060, 'renamed-updated____________________________', 'token', '{"grant_types":"any","scope":"any","data":true,"preferred_client_id":true,"preferred_client_secret":true}', '{"redirect_uris":["https://rp.example/cb"],"client_name":"updated","application_type":"web","grant_types":["authorization_code"],"id_token_signed_response_alg":"RS256","response_types":["code"],"subject_type":"public","token_endpoint_auth_method":"client_secret_basic"}', 'v2.3Uu-F0h2dUhX.pHeJ6mNPwGwGsEqynJi7ehRXAQzDFtPWWo-1UOxXJox99y0gpZOGC9oGUrTXP93qPwafkEMyu7ijoLArU-qsT5wQAS9h2nhhM7I1kMScNzBkrEQbTYWj6TUccsAm5HlOKg5The-WC7RnJbxTfME8DXzdMtgRvjR8wIJ-DvLFzvdv1Rrb-c1b13OQtkHw2DrWEZnc7Pk-0es', 0, 1699920000, NULL, NULL, NULL, NULL, 0, 'renamed
rp.example
first', NULL, 1, NULL, NULL, NULL, NULL);
INSERT INTO public.clients (ordinal, client_id, registration_id, version, client_id_issued_at, client_secret_expires_at, registration_access_token_hash, registered_by, privileges, metadata, credentials, unused_open, used_at, suspended_at, fingerprint, token_fingerprint, statement_issuer, imported, search_text, search_version, indexed_version, preceding_token_hash, waits_since, parked_at, notice) OVERRIDING SYSTEM VALUE VALUES (4, 'secret-for-ever', 'secret-for-ever-first_', 1, 1700000000, 0, 'secret-for-ever-first______________________', 'operator_token', '{"grant_types":["authorization_code","refresh_token"],"scope":[],"data":false,"preferred_client_id":false,"preferred_client_secret":false}', '{"redirect_uris":["https://rp.example/cb"],"client_name":"first","application_type":"web","grant_types":["authorization_code"],"id_token_signed_response_alg":"RS256","response_types":["code"],"subject_type":"public","token_endpoint_auth_method":"client_secret_basic"}', 'v2.vhZi-PMj08HS.oW9v6QpS-2D8ubKM6fVtpqxUc9uiP5pN6_CY9OukYUV92wcjYgSr3t-yn-1sMbiSOHgHNgEdiOgT4kTaJaanfC7jg24TmoBoaNrextm1htmEvFeYTX-e9hadUdl_8jB92F6oab2YHgLUkiqHrRW1zMh2CGSw-OQNnm7KsVc', 0, NULL, NULL, NULL, NULL, NULL, 0, 'secret-for-ever
rp.example
first', NULL, 1, NULL, NULL, NULL, NULL);
INSERT INTO public.clients (ordinal, client_id, registration_id, version, client_id_issued_at, client_secret_expires_at, registration_access_token_hash, registered_by, privileges, metadata, credentials, unused_open, used_at, suspended_at, fingerprint, token_fingerprint, statement_issuer, imported, search_text, search_version, indexed_version, preceding_token_hash, waits_since, parked_at, notice) OVERRIDING SYSTEM VALUE VALUES (5, 'with-statement', 'with-statement-first__', 1, 1700000000, 1700000060, 'with-statement-first_______________________', 'token', '{"grant_types":"any","scope":"any","data":true,"preferred_client_id":true,"preferred_client_secret":true}', '{"redirect_uris":["https://rp.example/cb"],"client_name":"first","application_type":"web","grant_types":["authorization_code"],"id_token_signed_response_alg":"RS256","response_types":["code"],"subject_type":"public","token_endpoint_auth_method":"client_secret_basic"}', 'v2.vhZi-PMj08HS.4HENHIgHGOdE3dgCqAUVt1vFcUupzISc_P_3UPMf0oGjdcO4VZFyBVRwapRpJ12Fgn3DDn0tLp2slrFuJisykoEQ1WqfmaD68YY-H7gupcZHT2wgjHtJRsZKbFBj8jpeVLdSxdSSchk0Vyl2H3DKniaY4A0n4QmY5L4pspT3QyV-LtQtYrWWayCoq0Cm1MZ1iTNZ8cg0bUzpLNPoUGrpAJOI', 0, NULL, NULL, NULL, 'a-token_____', 'https://statements.example', 0, 'with-statement
rp.example
first', NULL, 1, NULL, NULL, NULL, NULL);
INSERT INTO public.clients (ordinal, client_id, registration_id, version, client_id_issued_at, client_secret_expires_at, registration_access_token_hash, registered_by, privileges, metadata, credentials, unused_open, used_at, suspended_at, fingerprint, token_fingerprint, statement_issuer, imported, search_text, search_version, indexed_version, preceding_token_hash, waits_since, parked_at, notice) OVERRIDING SYSTEM VALUE VALUES (7, 'of-earlier-schema', '0123456789abcdef0123456789abcdef', 1, 1700000000, 1700000060, 'of-earlier-schema-first____________________', 'token', '{"grant_types":"any","scope":"any","data":true,"preferred_client_id":true,"preferred_client_secret":true}', '{"redirect_uris":["https://rp.example/cb"],"client_name":"first","application_type":"web","grant_types":["authorization_code"],"id_token_signed_response_alg":"RS256","response_types":["code"],"subject_type":"public","token_endpoint_auth_method":"client_secret_basic"}', 'v2.vhZi-PMj08HS.VJ2dWNIGpPaLb1hwBAEPze3BqYs2xRX37PXHaF0HzejGglrD5szy9vfpOn9Z26seSe06x204Jc1ylxW_l2MClmVN_hJb_gRWDU9G6ONXBGA2PRGmarBVaa0A7AOHn3JbAZou8DQ--kBKp8YoKRw2LeofSP5BlzZVAWjPPmH2HADPQVFKbzZ84u96MpVusfl3faYdHPI9onoYf3EiAs5m3a5VrYj1qmkF', 0, NULL, NULL, NULL, NULL, NULL, 0, 'of-earlier-schema
rp.example
first', NULL, 1, NULL, NULL, NULL, NULL);
INSERT INTO public.clients (ordinal, client_id, registration_id, version, client_id_issued_at, client_secret_expires_at, registration_access_token_hash, registered_by, privileges, metadata, credentials, unused_open, used_at, suspended_at, fingerprint, token_fingerprint, statement_issuer, imported, search_text, search_version, indexed_version, preceding_token_hash, waits_since, parked_at, notice) OVERRIDING SYSTEM VALUE VALUES (8, 'with-texts', 'with-texts-first______', 1, 1700000000, 1700000060, 'with-texts-first___________________________', 'token', '{"grant_types":"any","scope":"any","data":true,"preferred_client_id":true,"preferred_client_secret":true}', '{"redirect_uris":["https://rp.example/cb","com.example.app:/cb"],"client_name":"Zoë’s \"shop\"\n\\ 😀 ﬀ","client_name#ja-Jpan-JP":"クライアント名","software_id":"software-1","contacts":["zoe@rp.example"],"data":{"deep":[null,1.5,{"a":[]}],"":"empty"},"unknown_member":"kept","application_type":"native","grant_types":["authorization_code"],"id_token_signed_response_alg":"RS256","response_types":["code"],"subject_type":"public","token_endpoint_auth_method":"client_secret_basic"}', 'v2.vhZi-PMj08HS.qUY2khInXqEnLDuI6mMJu9RkKO6C8_LDRoLAA_ZfQRw0A9AlzWubL7qQ8mHQEDZsuw1uMkqSWY_8RB3VS5PbWkGP05LnenU0i-bV06SSVoRwUU_uTbRPjhc7WzTtry5RgPrH2bhTxV8DF_y5ITl_SRuD-I_eKxVX4DKs5mlZdYEZ79qOcfiRlFlsD1J_KemjMHt9w-C0PIQw6A', 0, NULL, NULL, NULL, NULL, NULL, 0, 'with-texts
rp.example
com.example.app
zoë’s "shop" \ 😀 ff
クライアント名
software-1
zoe@rp.example', NULL, 1, NULL, NULL, NULL, NULL);
INSERT INTO public.clients (ordinal, client_id, registration_id, version, client_id_issued_at, client_secret_expires_at, registration_access_token_hash, registered_by, privileges, metadata, credentials, unused_open, used_at, suspended_at, fingerprint, token_fingerprint, statement_issuer, imported, search_text, search_version, indexed_version, preceding_token_hash, waits_since, parked_at, notice) OVERRIDING SYSTEM VALUE VALUES (9, 'suspended', 'suspended-first_______', 2, 1700000000, 1700000060, 'suspended-first____________________________', 'token', '{"grant_types":"any","scope":"any","data":true,"preferred_client_id":true,"preferred_client_secret":true}', '{"redirect_uris":["https://rp.example/cb"],"client_name":"first","application_type":"web","grant_types":["authorization_code"],"id_token_signed_response_alg":"RS256","response_types":["code"],"subject_type":"public","token_endpoint_auth_method":"client_secret_basic"}', 'v2.3Uu-F0h2dUhX.5C5-SdZS1p4ADYxd2psEFmx9L71wgUXwDfD9pj5o4hTFBBG82-JWqlggL5uW72dYtXhZNVQbzHpL6Wvxij3K2oqFlTeynYD2500nqZ6w2osUdrJa0jjoeR9D1PDRXgSBVYafsGPXLtpztwe_xh-sRRmB8XnURta3mROu1UR0dO_UxRSWK1IxCcIPPWnezw3n7gaikvx8GZk', 0, NULL, 1700000003, NULL, NULL, NULL, 0, 'suspended
rp.example
first', NULL, 1, NULL, NULL, NULL, NULL);
INSERT INTO public.clients (ordinal, client_id, registration_id, version, client_id_issued_at, client_secret_expires_at, registration_access_token_hash, registered_by, privileges, metadata, credentials, unused_open, used_at, suspended_at, fingerprint, token_fingerprint, statement_issuer, imported, search_text, search_version, indexed_version, preceding_token_hash, waits_since, parked_at, notice) OVERRIDING SYSTEM VALUE VALUES (10, 'resumed', 'resumed-first_________', 3, 1700000000, 1700000060, 'resumed-first______________________________', 'token', '{"grant_types":"any","scope":"any","data":true,"preferred_client_id":true,"preferred_client_secret":true}', '{"redirect_uris":["https://rp.example/cb"],"client_name":"first","application_type":"web","grant_types":["authorization_code"],"id_token_signed_response_alg":"RS256","response_types":["code"],"subject_type":"public","token_endpoint_auth_method":"client_secret_basic"}', 'v2.3Uu-F0h2dUhX.q2JQN79Hk2MMWfuHfz-tXHBWbQKIDJ3UL1ZhBAf-_cccQ7F8emEb84TSga7cy4hjP7SNEP6YAAyWcrHg28-pQlkJ-cezjZaH9kGBrKg75SfDQpMHCWHIRlP82LhHCADtLoP1Wjt5W5wKF-G-OelXtHmjVEuFqWWwBMNAN62jf--f7aA-zqgv_GwKzvvghkn-LsXgdQ', 0, NULL, NULL, NULL, NULL, NULL, 0, 'resumed
rp.example
first', NULL, 1, NULL, 1700000004, NULL, NULL);
INSERT INTO public.clients (ordinal, client_id, registration_id, version, client_id_issued_at, client_secret_expires_at, registration_access_token_hash, registered_by, privileges, metadata, credentials, unused_open, used_at, suspended_at, fingerprint, token_fingerprint, statement_issuer, imported, search_text, search_version, indexed_version, preceding_token_hash, waits_since, parked_at, notice) OVERRIDING SYSTEM VALUE VALUES (6, 'https://app.example/client.json', 'document-first________', 1, 1700000000, 1700000060, 'document-first_____________________________', 'token', '{"grant_types":"any","scope":"any","data":true,"preferred_client_id":true,"preferred_client_secret":true}', '{"redirect_uris":["https://rp.example/cb"],"client_name":"first","application_type":"web","grant_types":["authorization_code"],"id_token_signed_response_alg":"RS256","response_types":["code"],"subject_type":"public","token_endpoint_auth_method":"client_secret_basic"}', 'v2.vhZi-PMj08HS.7AlDzzrfPPy_KxJ7AzovC7xvRlych-grnUtlu7GqDj0P65CT2xhldUwL5JgFTat9hy3Ry0JVMJd-kAtVOfBnoC6yShVi7zj1AGKQdh1FxQeMOGQQkY_eQRxqO4us_cv7tA0udZE5EGEt84gHl1KJSYsHK4EF1h9o5jQp-qUx0MHU9ABsauKBuZpgOsgmuyW4XMK0RI07', 0, 1699920000, NULL, NULL, NULL, NULL, 0, 'https://app.example/client.json
rp.example
first', NULL, 1, NULL, NULL, NULL, NULL);
INSERT INTO public.clients (ordinal, client_id, registration_id, version, client_id_issued_at, client_secret_expires_at, registration_access_token_hash, registered_by, privileges, metadata, credentials, unused_open, used_at, suspended_at, fingerprint, token_fingerprint, statement_issuer, imported, search_text, search_version, indexed_version, preceding_token_hash, waits_since, parked_at, notice) OVERRIDING SYSTEM VALUE VALUES (17, 'open-idle', 'open-idle-first_______', 1, 1665440000, 1700000060, 'open-idle-first____________________________', 'nobody', '{"grant_types":"any","scope":"any","data":true,"preferred_client_id":true,"preferred_client_secret":true}', '{"redirect_uris":["https://rp.example/cb"],"client_name":"first","application_type":"web","grant_types":["authorization_code"],"id_token_signed_response_alg":"RS256","response_types":["code"],"subject_type":"public","token_endpoint_auth_method":"client_secret_basic"}', 'v2.vhZi-PMj08HS.kCo0nZof7Jxvuc8jqtHShvf41ujXFx1Puw8JT07O7TB_G6-eKVTBlPjK9wQiiWZAHT5foiFjLWiDQPWbrJC9FsvPgz_VVqpR1AatW3TVM9TgQT9z7rVrXv-8AnFmyePdLZpctH3yiqkxtlhchJCaWO4JGP5zorVfcgSUq7moFOvfloayJS-hS5w-zRhId4ArYpmKl4Z7I-M', 0, 1674000000, NULL, NULL, NULL, NULL, 0, 'open-idle
rp.example
first', NULL, 1, NULL, NULL, NULL, NULL);
INSERT INTO public.clients (ordinal, client_id, registration_id, version, client_id_issued_at, client_secret_expires_at, registration_access_token_hash, registered_by, privileges, metadata, credentials, unused_open, used_at, suspended_at, fingerprint, token_fingerprint, statement_issuer, imported, search_text, search_version, indexed_version, preceding_token_hash, waits_since, parked_at, notice) OVERRIDING SYSTEM VALUE VALUES (18, 'parked', 'parked-first__________', 1, 1691446400, 1700000060, 'parked-first_______________________________', 'nobody', '{"grant_types":"any","scope":"any","data":true,"preferred_client_id":true,"preferred_client_secret":true}', '{"redirect_uris":["https://rp.example/cb"],"client_name":"first","application_type":"web","grant_types":["authorization_code"],"id_token_signed_response_alg":"RS256","response_types":["code"],"subject_type":"public","token_endpoint_auth_method":"client_secret_basic"}', 'v2.vhZi-PMj08HS.tuoGl_E-3CmEP1szBj1N_LhLlUeTdkpmYl_VPeKDpMNTlwYPSBzuPIvizPH-W1OPVtJ6UOMIjZKox072xPsfzV0SolkgPxjjnrpPEqeQShOqb2xR24dbtlkwO-C2qugGwMb9D28xY-YxtW5ZSGsyNQG1f2zLeg6ZR4p8JOeNv1TJ8TkpD1Y1SXDT6yWidWOq9NU', 2, NULL, NULL, NULL, NULL, NULL, 0, 'parked
rp.example
first', NULL, 1, NULL, NULL, 1694816000, 3);
INSERT INTO public.clients (ordinal, client_id, registration_id, version, client_id_issued_at, client_secret_expires_at, registration_access_token_hash, registered_by, privileges, metadata, credentials, unused_open, used_at, suspended_at, fingerprint, token_fingerprint, statement_issuer, imported, search_text, search_version, indexed_version, preceding_token_hash, waits_since, parked_at, notice) OVERRIDING SYSTEM VALUE VALUES (19, 'parked-later', 'parked-later-first____', 1, 1696112000, 1700000060, 'parked-later-first_________________________', 'nobody', '{"grant_types":"any","scope":"any","data":true,"preferred_client_id":true,"preferred_client_secret":true}', '{"redirect_uris":["https://rp.example/cb"],"client_name":"first","application_type":"web","grant_types":["authorization_code"],"id_token_signed_response_alg":"RS256","response_types":["code"],"subject_type":"public","token_endpoint_auth_method":"client_secret_basic"}', 'v2.vhZi-PMj08HS.HzjsDMbPY6ia4-yd-jKBX48eixUjIDCRBzmZy-t0t6xv8n4Xu2FddzIE-5v3m2X3nT_XqM-o1UjZA8zNweFbnBzRggwi5yq3-Q08_BwRThZJNzpoRNfcyh1-k7BvLw-6w05E0emnXw3XTyiyXW4YjoAlaa1Kc_goa7legZSKWcrvef_WAhvVSss55gKZeZxJA5fmE-GD_ZApTAL2PO4', 2, NULL, NULL, NULL, NULL, NULL, 0, 'parked-later
rp.example
first', NULL, 1, NULL, NULL, 1697408000, 7);
INSERT INTO public.clients (ordinal, client_id, registration_id, version, client_id_issued_at, client_secret_expires_at, registration_access_token_hash, registered_by, privileges, metadata, credentials, unused_open, used_at, suspended_at, fingerprint, token_fingerprint, statement_issuer, imported, search_text, search_version, indexed_version, preceding_token_hash, waits_since, parked_at, notice) OVERRIDING SYSTEM VALUE VALUES (2, 'short', 'short-first___________', 1, 1700000000, 1700000060, 'short-first________________________________', 'token', '{"grant_types":"any","scope":"any","data":true,"preferred_client_id":true,"preferred_client_secret":true}', '{"redirect_uris":["https://rp.example/cb"],"client_name":"first","application_type":"web","grant_types":["authorization_code"],"id_token_signed_response_alg":"RS256","response_types":["code"],"subject_type":"public","token_endpoint_auth_method":"client_secret_basic"}', 'v2.vhZi-PMj08HS.5F_-7NsXxFAJqjZR1TrdVjb3627FmJ2zQDrQB0OL5LHAx-q57ecZEaEUqN3lJA4yoPIduFd4mlz-6mBLuE1bMiFm-O1eOyWY6fH_J9DknGvJIRGQEqvzxlpPLsQZGU_wQEJeMqP0CTmzH1FxLhyX3b7Ho0xf6C9UA94tAqBEJ938ckPl5t_XyKad9MWc4XZQ', 0, 1699833600, NULL, NULL, NULL, NULL, 0, 'short
rp.example
first', NULL, 1, 'left-by-an-earlier-version_________________', NULL, NULL, NULL);
INSERT INTO public.clients (ordinal, client_id, registration_id, version, client_id_issued_at, client_secret_expires_at, registration_access_token_hash, registered_by, privileges, metadata, credentials, unused_open, used_at, suspended_at, fingerprint, token_fingerprint, statement_issuer, imported, search_text, search_version, indexed_version, preceding_token_hash, waits_since, parked_at, notice) OVERRIDING SYSTEM VALUE VALUES (26, 'G8WpropertyIsEnumera', '9fzbxoLEwaHUMob1H8di60', 6, 1293038514, NULL, 'qvm4HENpr_IqhrU8OE9Kl23G8fPvscjIHfqJ5mLcHuc', 'token', '{"grant_types":"any","scope":["OPENID","any","email","open","openid"],"data":true,"preferred_client_id":true,"preferred_client_secret":false}', '{"grant_types":["urn:ietf:params:oauth:grant-type:saml2-bearer","urn:ietf:params:oauth:grant-type:device_code","password","authorization_code","urn:ietf:params:oauth:grant-type:jwt-bearer"],"redirect_uris":["eS.uee9bNu0:KZyYMY?8mL0"],"post_logout_redirect_uris":["Tlb.3k5://yGL?Aoij!R%C3%A9tt","http://[::1]","https://203.0.113.7:5?jWLez"],"claims_redirect_uris":[],"response_types":["code"],"token_endpoint_auth_method":"none","id_token_signed_response_alg":"RS384","userinfo_signed_response_alg":"RS512","introspection_signed_response_alg":"EdDSA","nfv_token_signed_response_alg":"PS384","client_name":"𝚙𐘉𖤆ꆛ","client_uri":"http://FZZSk8o.3ix.yrlFJ.tW?;/wr?","logo_uri":"http://PusnVgvt.pLqc.ltro:65531","tos_uri":"https://palcg.Ty/pi7Fy","policy_uri":"http://r4pAC.key?@vKC","contacts":["ї☐𝂙⾋♛","𜿀עꑟ𖣘𑚹ꍲ᰽ⱡ₹𑇙Ḁ𑐲","᪙"],"software_id":"࢈𑂫𝆺𝅥𝅯🢭!𝅘𝅥𝅯.ᗊ+𐼈","data":{},"default_max_age":21,"default_acr_values":["urn:acr:two-factors","payment"],"initiate_login_uri":"https://203.0.113.7:1","backchannel_logout_uri":"https://Cx2M8.Sq:443?","tls_client_certificate_bound_access_tokens":false,"use_mtls_endpoint_aliases":false,"require_signed_request_object":false,"require_pushed_authorization_requests":true,"dpop_bound_access_tokens":true,"authorization_details_types":["urn:acr:two-factors","payment"],"response_modes":[],"client_registration_types":[],"organization_name":"𐒛","organization_uri":"https://YOu.ZtQcuM.VrE:1/I?D''GT","description":"𑰗᭩ዋ","keywords":["𓂱𖢁🤨《יּＳ🖼𑐉","ꐎ⇏"],"vp_formats_supported":{},"credential_offer_endpoint":"tF.RWjk:/C?Rc","signed_jwks_uri":"https://pymj.5d9uGWUR.B9guH.ke/Gr?","backchannel_user_code_parameter":false,"backchannel_token_delivery_mode":"push","backchannel_client_notification_endpoint":"https://203.0.113.7:11","subject_types_supported":["pairwise","public","of-tomorrow"],"userinfo_encryption_enc_values_supported":["A128CBC-HS256","A256CBC-HS512","A256GCM","A512GCM"],"backchannel_token_delivery_modes_supported":["push","poll","ping","telepathy"],"client_name#zh-Hant":"𐖄𓎠𒌊𑃒び𑨞𑝁ပ𛂿ꦚ𖥢𐘸","tos_uri#zh-Hant":"http://x5IXiEz8.aGfPlZF.wC:8","keywords#zh-Hant":["𐖄𓎠𒌊𑃒び𑨞𑝁ပ𛂿ꦚ𖥢𐘸"],"application_type":"native","subject_type":"public"}', 'v2.vhZi-PMj08HS.kEDPofbEyW9E4qXAurvyHErFM21SgRrfmmeYy66wDgKsRSGXnJWeXEBz5kfbxNv5o2eyntix-ARKBm-dshDlbEqbGvaTl9DPJOywZDykkFFvWmxQo8wBkH024qmX3d8IWI4y4YPbsA', 0, NULL, NULL, NULL, '__Z_WIB6_-_0', 'https://HSMm.qQ:16', 0, 'g8wpropertyisenumera
es.uee9bnu0
ygl
[::1]
203.0.113.7:5
p𐘉𖤆ꆛ
fzzsk8o.3ix.yrlfj.tw
pusnvgvt.plqc.ltro:65531
palcg.ty
r4pac.key
ї☐𝂙艸♛
𜿀עꑟ𖣘𑚹ꍲ᰽ⱡ₹𑇙ḁ𑐲
᪙
࢈𑂫𝆺𝅥𝅯🢭!𝅘𝅥𝅯.ᗊ+𐼈
203.0.113.7:1
cx2m8.sq:443
you.ztqcum.vre:1
pymj.5d9ugwur.b9guh.ke
𐖫𓎠𒌊𑃒び𑨞𑝁ပ𛂿ꦚ𖥢𐘸
x5ixiez8.agfplzf.wc:8', NULL, 6, NULL, NULL, NULL, NULL);
INSERT INTO public.clients (ordinal, client_id, registration_id, version, client_id_issued_at, client_secret_expires_at, registration_access_token_hash, registered_by, privileges, metadata, credentials, unused_open, used_at, suspended_at, fingerprint, token_fingerprint, statement_issuer, imported, search_text, search_version, indexed_version, preceding_token_hash, waits_since, parked_at, notice) OVERRIDING SYSTEM VALUE VALUES (28, 'Je7fPRMXvsyyKBYh6rQf', 'd2OAOyCZsRe1G3cm0XROjY', 508, 2072932295, 0, 'WtBky_-5ItPA9-C-jfYPoH6HFMw0PSU7BvSmWyD-TGA', 'operator_token', '{"grant_types":["implicit","urn:ietf:params:oauth:grant-type:device_code"],"scope":["OPENID"],"data":true,"preferred_client_id":true,"preferred_client_secret":true}', '{"application_type":"native","grant_types":["urn:ietf:params:oauth:grant-type:device_code","client_credentials","urn:ietf:params:oauth:grant-type:saml2-bearer","urn:ietf:params:oauth:grant-type:jwt-bearer","implicit"],"redirect_uris":["http://[::1]"],"post_logout_redirect_uris":[],"response_types":["id_token","id_token token","token id_token","token"],"token_endpoint_auth_method":"tls_client_auth","tls_client_auth_san_email":"ops@rp.example","userinfo_signed_response_alg":"HS256","introspection_signed_response_alg":"PS256","nfv_token_signed_response_alg":"ES512","id_token_encrypted_response_alg":"ECDH-ES+A256KW","userinfo_encrypted_response_alg":"RSA-OAEP-256","authorization_encrypted_response_alg":"ECDH-ES+A256KW","authorization_encrypted_response_enc":"A256GCM","introspection_encrypted_response_alg":"RSA-OAEP","request_object_signing_alg":"PS384","backchannel_authentication_request_signing_alg":"PS256","jwks":{"keys":[{"kty":"RSA","n":"0DjvBkz7-Kv2lA6RlBjVqfqANeDc_j1D731M8Hb-07Nu6yDRPoCOE01E_Gb3SjdPjzXUe3UQ8zk2i3l7yNY-Mu1DtjQXG_Qepz0SdAKBrk3kkLFbsvm3pPGReuxXhVQhdWJqar7x-9xrzGjBHsrCbLmPcHK7YisFzr8JT-pF1TGLUJscR8wBmywhUuOWtGTmxHLFJVXsDq3JA34iIzrTGqHYWqyes-c4-Kwqf3brl463G3VPs0aOoXre3YZLuq6mgUrDB1p3ULGdc8NDLTdHYdfusvThm2u1fF5V3mXfbH_aFn19GHQkFxIXXOViTSgP_4Icg0H6B0m7Z3sKXhR2bQ","e":"AQAB","use":"enc"}]},"client_name":"𔔖᛬🧭𓀃Ά𞄀","client_uri":"https://3OGc3.Go/S(,KEU4bCc","logo_uri":"https://3daZnD2k.w7eGs.yP?t3g@Q","tos_uri":"https://CGWoO6B.8PkXX1.Zgu0W.WrTp/k?","policy_uri":"https://rrd.Yn:18927/z3z%20(=q4gV?po?,9J1j","contacts":["ẛ⾺״໘𔖓"],"scope":"openid OPENID","software_id":"𝔄𝅘𝅥𝅰valueOf","software_version":"◯","data":{"𘦕":[null,"d`cOvX",true,"3Y2i?% G{",false],"🡱𓀋\"🟠)𝆺𝅥𝅮":null,"𖩘":null,"ε𑠖𝂾ᎂ𒆐🈩":{"xE6":null,"y~B+]H(}":-7.990478975491969e-282,",OXiIV":null,"y$&i[=f6''\\":8.456115372553445e-307,"M":""}},"default_max_age":29,"default_acr_values":["payment"],"initiate_login_uri":"https://203.0.113.7","request_uris":["https://Khu8Qjh.xA92rG.Ok/4f%20Q_H1y?Mq7W)l:#h-_h-_h-_h-_h-_h-_h-_h-_h-_h-_h-_h-_h-_h-_A","https://uwC5-lR.tWD.fLz/s%20e_Dl6%20?7Hq''Q+#h-_h-_h-_h-_h-_h-_h-_h-_h-_h-_h-_h-_h-_h-_A"],"backchannel_logout_uri":"https://FHdilBjP.u6zER.eIlu:13783?meB:","backchannel_logout_session_required":true,"frontchannel_logout_session_required":false,"tls_client_certificate_bound_access_tokens":true,"use_mtls_endpoint_aliases":true,"require_signed_request_object":false,"require_pushed_authorization_requests":false,"dpop_bound_access_tokens":true,"authorization_details_types":["https://rp.example/type","urn:acr:two-factors","payment"],"response_modes":["query"],"client_registration_types":["automatic"],"organization_name":"constru","organization_uri":"http://203.0.113.7:42495","vp_formats_supported":{"mso_mdoc":{},"dc+sd-jwt":{"sd-jwt_alg_values":["ES256"]}},"encrypted_response_enc_values_supported":["A256GCM","of-tomorrow"],"credential_offer_endpoint":"openid-credential-offer://","signed_jwks_uri":"https://zry46.iQA:1/ta?in","backchannel_user_code_parameter":true,"backchannel_token_delivery_mode":"poll","userinfo_encryption_enc_values_supported":["A128CBC-HS256","A256CBC-HS512","A256GCM","A512GCM"],"backchannel_token_delivery_modes_supported":["push","poll","ping","telepathy"],"subject_type":"public","frontchannel_logout_uri":"http://[::1]/logout?by=browser","client_name#x-private":"⢒𘲼ୡᡖ𛋛ᬌ𖣥𐫁ꖎჄ","tos_uri#ja-Jpan-JP":"https://GGL.Ckue:65525/jqsp.?","keywords#x-private":["⢒𘲼ୡᡖ𛋛ᬌ𖣥𐫁ꖎჄ"],"id_token_encrypted_response_enc":"A128CBC-HS256","userinfo_encrypted_response_enc":"A128CBC-HS256","introspection_encrypted_response_enc":"A128CBC-HS256","id_token_signed_response_alg":"RS256"}', 'v2.vhZi-PMj08HS.c3qPOzIYez3YsQIjkUpPDGll675DUKj5UdspPaT5nnzXaUESohakSJm0DIAaOmi84F9udBUOjC8i0xfdpcLg2ErE31UOe4YAik4dlGb6QD85J0nJNXTFpQvPPNPUhZmEcOKWL20WMDlEzZs21TzrjPVwWZDA1S2YsZ7qSDN54TGHNzBGlrpdtdS5nYY_wDf-7QjCPtNkrpnsdHHDOkMysKpMZ_dA', 0, NULL, NULL, NULL, 'z5-7-wBN-q-i', NULL, 1, 'je7fprmxvsyykbyh6rqf
[::1]
𔔖᛬🧭𓀃ά𞄀
3ogc3.go
3daznd2k.w7egs.yp
cgwoo6b.8pkxx1.zgu0w.wrtp
rrd.yn:18927
ṡ馬״໘𔖓
a𝅘𝅥𝅰valueof
203.0.113.7
khu8qjh.xa92rg.ok
uwc5-lr.twd.flz
fhdilbjp.u6zer.eilu:13783
203.0.113.7:42495
zry46.iqa:1
⢒𘲼ୡᡖ𛋛ᬌ𖣥𐫁ꖎⴤ
ggl.ckue:65525', NULL, 508, NULL, NULL, NULL, NULL);
INSERT INTO public.clients (ordinal, client_id, registration_id, version, client_id_issued_at, client_secret_expires_at, registration_access_token_hash, registered_by, privileges, metadata, credentials, unused_open, used_at, suspended_at, fingerprint, token_fingerprint, statement_issuer, imported, search_text, search_version, indexed_version, preceding_token_hash, waits_since, parked_at, notice) OVERRIDING SYSTEM VALUE VALUES (29, 'uJ14qhPONJ3pvG8V1yul', 'dqRRuOapomyaJCE1mC2sE8', 992, 3513916784, 3513916806, 'ZCaQZNHAKIta4J7ZIM86rFLWXip6JNdA-qqA5rmhkLk', 'operator_token', '{"grant_types":"any","scope":"any","data":true,"preferred_client_id":true,"preferred_client_secret":true}', '{"grant_types":["password","refresh_token"],"redirect_uris":["yo.a7NepwQ://AmpIN6yp?XjLXRtw","WX.gv4UILXn:/9u6xg-+G"],"claims_redirect_uris":["https://3T9qWOek.LOdu:39606//"],"response_types":["none"],"token_endpoint_auth_method":"client_secret_jwt","token_endpoint_auth_signing_alg":"HS256","userinfo_signed_response_alg":"PS256","authorization_signed_response_alg":"PS256","introspection_signed_response_alg":"ES384","authorization_encrypted_response_alg":"A256GCMKW","introspection_encrypted_response_alg":"A256GCMKW","nfv_token_encrypted_response_alg":"A256GCMKW","nfv_token_encrypted_response_enc":"A256CBC-HS512","request_object_encryption_alg":"A128KW","request_object_signing_alg":"none","client_name":"𔗔\"𑋘𝘗𑋂ﻧ.Ỵ\"┙-&","client_uri":"http://VUXLrv.WXPat.Exs:7/ref","logo_uri":"http://UQi6igd.xVYC","tos_uri":"https://203.0.113.7","policy_uri":"https://9fMk4i.ref:54962?","contacts":["𜽵)t"],"scope":"OPENID","software_version":"bind","data":{"ᒗ𞥂𛂖𝃓𑣓ᮋﭩ𘦤":{"S\"y*":true,"S:":false,"F":1.4019606091201785e-223,"ST*\"qP":"mNlO!d`0Rp","wG}k7OQ":"Zi:-%g_J5"},"🟄𑠠𝆑":null},"default_max_age":22,"default_acr_values":["payment","https://rp.example/type","urn:acr:two-factors"],"initiate_login_uri":"https://29Q1.fa.yPu","request_uris":["https://tZDrn6.pz?MiKl#h-_h-_h-_h-_h-_h-_h-_h-_h-_h-_h-_h-_h-_h-_A","https://7HkzAEs.ckPd2n.rY?zHn?e"],"backchannel_logout_session_required":false,"frontchannel_logout_session_required":false,"tls_client_certificate_bound_access_tokens":true,"use_mtls_endpoint_aliases":true,"dpop_bound_access_tokens":true,"authorization_details_types":[],"response_modes":["fragment","form_post"],"client_registration_types":["explicit"],"organization_name":"𑿱","organization_uri":"https://dQdo4c.tGMkh.ref?","description":"⣾𑻮⾹ṕ𛃘","keywords":["𑀮🄵𓉕ݒㇼ𑀞"],"information_uri":"https://Xcc4kZn.FJN:13467/YF(eG","vp_formats_supported":{},"encrypted_response_enc_values_supported":["A256GCM","of-tomorrow"],"credential_offer_endpoint":"openid-credential-offer://","backchannel_user_code_parameter":false,"backchannel_token_delivery_mode":"push","backchannel_client_notification_endpoint":"https://tFJKFSdoBF.dTL?8.NC4","subject_types_supported":["pairwise","public","of-tomorrow"],"userinfo_encryption_enc_values_supported":["A128CBC-HS256","A256CBC-HS512","A256GCM","A512GCM"],"backchannel_token_delivery_modes_supported":["push","poll","ping","telepathy"],"client_name#i-klingon":"𑂜ᯀ𓃛ᰊ𓂘୭.𤘈#⦥","tos_uri#sl-rozaj-biske":"http://zTb8.JdxUasPe.1HGqfJM.MoE:65531/d2NDj(m$x","keywords#i-klingon":["𑂜ᯀ𓃛ᰊ𓂘୭.𤘈#⦥"],"request_object_encryption_enc":"A128CBC-HS256","authorization_encrypted_response_enc":"A128CBC-HS256","introspection_encrypted_response_enc":"A128CBC-HS256","application_type":"native","id_token_signed_response_alg":"RS256","subject_type":"public"}', 'v2.vhZi-PMj08HS.aKywQpwLsZbt2H_tDYSAO1uvnRki-qJMiFLj0QNhvSQMlhNoUAVK-Gq0Hm2i_mmuKJPd1bAiM4PXOhMLw95BVgwzJadD9ua7UfLnIHsAItGxrWdSiPNVxgwKBJmGck0PROE30hJ-3O4_Ld9rbVgDJbxZJOqyycAQOc-Qxz6Gbr12GoXZxBjchXP00fmhAvnDpvBDyymgOdfHXSuucGFzDNWcd_0B', 0, NULL, NULL, NULL, '_u___7d__vm_', 'https://IZhO6Q.vw', 1, 'uj14qhponj3pvg8v1yul
ampin6yp
wx.gv4uilxn
3t9qwoek.lodu:39606
𔗔"𑋘p𑋂ن.ỵ"┙-&
vuxlrv.wxpat.exs:7
uqi6igd.xvyc
203.0.113.7
9fmk4i.ref:54962
𜽵)t
29q1.fa.ypu
tzdrn6.pz
7hkzaes.ckpd2n.ry
dqdo4c.tgmkh.ref
xcc4kzn.fjn:13467
𑂜ᯀ𓃛ᰊ𓂘୭.𤘈#⦥
ztb8.jdxuaspe.1hgqfjm.moe:65531', NULL, 992, NULL, NULL, NULL, NULL);
INSERT INTO public.clients (ordinal, client_id, registration_id, version, client_id_issued_at, client_secret_expires_at, registration_access_token_hash, registered_by, privileges, metadata, credentials, unused_open, used_at, suspended_at, fingerprint, token_fingerprint, statement_issuer, imported, search_text, search_version, indexed_version, preceding_token_hash, waits_since, parked_at, notice) OVERRIDING SYSTEM VALUE VALUES (31, 'qWTXo2wfjAH7XtDt9F6P', 'AKbbP1iaOXM6ptXvyA9NTy', 1000, 1411055072, 1411055085, 'w-B02LDU7oQSJ3lTF0GYS61KVqXN68EXPLy9UFPlQPG', 'operator_token', '{"grant_types":["refresh_token"],"scope":["OPENID"],"data":true,"preferred_client_id":true,"preferred_client_secret":true}', '{"application_type":"native","grant_types":[],"redirect_uris":["https://CiZIxrM4.7RbKEE.Nbp76To.dZJ/"],"post_logout_redirect_uris":[],"claims_redirect_uris":["http://127.0.0.1?+=("],"response_types":["none"],"token_endpoint_auth_method":"client_secret_post","userinfo_signed_response_alg":"ES384","authorization_signed_response_alg":"RS256","introspection_signed_response_alg":"RS256","nfv_token_signed_response_alg":"PS384","id_token_encrypted_response_alg":"A256GCMKW","userinfo_encrypted_response_alg":"dir","authorization_encrypted_response_alg":"dir","authorization_encrypted_response_enc":"A128CBC-HS256","introspection_encrypted_response_alg":"dir","nfv_token_encrypted_response_alg":"dir","nfv_token_encrypted_response_enc":"A128CBC-HS256","client_name":"🩶⡷''𓌟𒓈(𑱨𔔄𝆹𝅥𝅮","client_uri":"https://AvyaTN.geJFE4fM.ref","logo_uri":"https://Ilv585.efca/Q?7-sZWmli!","tos_uri":"https://203.0.113.7?AJj","policy_uri":"http://MmAjA.Lzbvgu7p.LanJC.EM/_?,","contacts":["name","𝅘𝅥𝅮ꆎ𝅘𝅥𝅰+𝅘𝅥"],"software_id":"ca","software_version":"⪂","data":{"ࠏ፪ⓞᘰ":[0,false]},"default_max_age":959425122,"require_auth_time":false,"default_acr_values":["urn:acr:two-factors","https://rp.example/type"],"initiate_login_uri":"https://XEKXe.cs4Pf.fVFu/b6&pezk","request_uris":[],"backchannel_logout_uri":"https://ndrrYUd.k6ZpycGgi.Xns.ref:7545?8(Ie.y","backchannel_logout_session_required":true,"frontchannel_logout_session_required":true,"tls_client_certificate_bound_access_tokens":false,"use_mtls_endpoint_aliases":true,"require_signed_request_object":false,"require_pushed_authorization_requests":false,"dpop_bound_access_tokens":false,"authorization_details_types":["https://rp.example/type"],"response_modes":[],"client_registration_types":["automatic","explicit"],"organization_name":"𝓽੯","organization_uri":"https://203.0.113.7/f?c","description":"ᡂ🥇♺שׁﲍᔈᰃ🙰ຓ","keywords":["Ἒ⋌🝮","₭𘲙𘭵ȍᵬ"],"information_uri":"https://203.0.113.7/co","vp_formats_supported":{},"encrypted_response_enc_values_supported":["A256GCM","of-tomorrow"],"credential_offer_endpoint":"vscode-insiders:htX_iL=","signed_jwks_uri":"https://ezrI.LL33OI9e.xSP.lEfT:7/3fW;JK","backchannel_user_code_parameter":false,"backchannel_token_delivery_mode":"poll","subject_types_supported":["pairwise","public","of-tomorrow"],"backchannel_token_delivery_modes_supported":["push","poll","ping","telepathy"],"client_name#zh-Hant":"ㇻ𛋆⚋ꔙց謁ⶭ𔗕𛊓𐭌𝈶","tos_uri#en-a-bbb-x-a":"http://qk.Oh9bCenk.U3j02Dk.cVy:1/_053&.Z5$J?cot","keywords#zh-Hant":["ㇻ𛋆⚋ꔙց謁ⶭ𔗕𛊓𐭌𝈶"],"id_token_encrypted_response_enc":"A128CBC-HS256","userinfo_encrypted_response_enc":"A128CBC-HS256","introspection_encrypted_response_enc":"A128CBC-HS256","id_token_signed_response_alg":"RS256","subject_type":"public"}', 'v2.vhZi-PMj08HS.h9VU-6PKViwRt_zlljGsPMyTfvJHDHHoJveBLWwlp5kArlhxX6jWPkpktwcFeaZ1qgpVvAMZLvqYweX0npGBYndfUbs1dqMlWN2gH26U29PqKJ3IckicGX8t4jBg6-Mi4KUHuFvEiU8RnIWBHV3vvPXfrmUZ-MiDouv5TCu_Z4NXdV_7c2YpipMJL3mC4XWZYDvuVMuHl_IkQSyrXsWD5GIvEk1N', 0, NULL, NULL, NULL, '--4z-_i2_ce_', 'https://Nxnv4J.sHg/ttoStrin?pN', 0, 'qwtxo2wfjah7xtdt9f6p
cizixrm4.7rbkee.nbp76to.dzj
127.0.0.1
🩶⡷''𓌟𒓈(𑱨𔔄𝆹𝅥𝅮
avyatn.gejfe4fm.ref
ilv585.efca
203.0.113.7
mmaja.lzbvgu7p.lanjc.em
name
𝅘𝅥𝅮ꆎ𝅘𝅥𝅰+𝅘𝅥
ca
xekxe.cs4pf.fvfu
ndrryud.k6zpycggi.xns.ref:7545
ezri.ll33oi9e.xsp.left:7
ㇻ𛋆⚋ꔙց謁ⶭ𔗕𛊓𐭌𝈶
qk.oh9bcenk.u3j02dk.cvy:1', NULL, 1000, NULL, NULL, NULL, NULL);
INSERT INTO public.clients (ordinal, client_id, registration_id, version, client_id_issued_at, client_secret_expires_at, registration_access_token_hash, registered_by, privileges, metadata, credentials, unused_open, used_at, suspended_at, fingerprint, token_fingerprint, statement_issuer, imported, search_text, search_version, indexed_version, preceding_token_hash, waits_since, parked_at, notice) OVERRIDING SYSTEM VALUE VALUES (32, 'with-token', 'with-token-first______', 1, 1700000000, 1700000060, 'with-token-first___________________________', 'token', '{"grant_types":"any","scope":"any","data":true,"preferred_client_id":true,"preferred_client_secret":true}', '{"redirect_uris":["https://rp.example/cb"],"client_name":"first","application_type":"web","grant_types":["authorization_code"],"id_token_signed_response_alg":"RS256","response_types":["code"],"subject_type":"public","token_endpoint_auth_method":"client_secret_basic"}', 'v2.3Uu-F0h2dUhX.lGk0abie2u3V3rhWHVPg9QiE8sgH6z5KmVJEbR5PHOkP93VXvrZGqjeSsdzH-I7xxcE88fQqNf5ZmI6CAJj5OgIzpYNiTitlTyULsmhpe2hcfUtbqvGaIy9kjQvvUD5XvzQOaRJ7WNw6KPsi7CWuvhtyvfXsGotKIII78FVIJhBDCXrrdebk4dGFqXOrhr3c3xzT0AjQSQlvlQ', 0, NULL, NULL, NULL, 'consumed____', NULL, 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO public.clients (ordinal, client_id, registration_id, version, client_id_issued_at, client_secret_expires_at, registration_access_token_hash, registered_by, privileges, metadata, credentials, unused_open, used_at, suspended_at, fingerprint, token_fingerprint, statement_issuer, imported, search_text, search_version, indexed_version, preceding_token_hash, waits_since, parked_at, notice) OVERRIDING SYSTEM VALUE VALUES (33, 'open-unused', 'open-unused-first_____', 1, 1700000000, 1700000060, 'open-unused-first__________________________', 'nobody', '{"grant_types":"any","scope":"any","data":true,"preferred_client_id":true,"preferred_client_secret":true}', '{"redirect_uris":["https://rp.example/cb"],"client_name":"first","application_type":"web","grant_types":["authorization_code"],"id_token_signed_response_alg":"RS256","response_types":["code"],"subject_type":"public","token_endpoint_auth_method":"client_secret_basic"}', 'v2.3Uu-F0h2dUhX.DkBchi5vxzXKGuHrHrytG9VrSnYZd1p_qJHL59ZoI5hoP6quTJJGM502qEHWHlji1DoXCLzMdkzXaGWLEoCI7UgdisDbQe9qJ4A2S30l7Sb-d7ByYWUMuS3R5PHvhkh2yiXtrYIn5InlCaC3mDT_m6gbEde8FceKTp90jx7ldjVNJUmw6DSCtlEkoJEnYb_VHkNkXQlQ7GykNjXi', 1, NULL, NULL, 'fingerprint________________________________', NULL, NULL, 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO public.clients (ordinal, client_id, registration_id, version, client_id_issued_at, client_secret_expires_at, registration_access_token_hash, registered_by, privileges, metadata, credentials, unused_open, used_at, suspended_at, fingerprint, token_fingerprint, statement_issuer, imported, search_text, search_version, indexed_version, preceding_token_hash, waits_since, parked_at, notice) OVERRIDING SYSTEM VALUE VALUES (34, 'keyed', 'keyed-first___________', 1, 1700000000, 1700000060, 'keyed-first________________________________', 'token', '{"grant_types":"any","scope":"any","data":true,"preferred_client_id":true,"preferred_client_secret":true}', '{"redirect_uris":["https://rp.example/cb"],"client_name":"first","application_type":"web","grant_types":["authorization_code"],"id_token_signed_response_alg":"RS256","response_types":["code"],"subject_type":"public","token_endpoint_auth_method":"client_secret_basic"}', 'v2.3Uu-F0h2dUhX.zhjODYoYQOS4vQbCBdK8O5vcMCMWiJ1WK7kBjIqmabsP9tYHYeauqcfvSLibnMkl0KtLkqY86c0KYG5P0hZSyidMHW9RcRPkveWywyFZEJcP1aZjtggHX3YSmQhmt3yzF4P_YdKLPXLhx2bGc15H4ap1uvYQhWWac3Osfsdf4GHp6xLenCwgmjSWA16cSI7u', 0, NULL, NULL, NULL, NULL, NULL, 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO public.clients (ordinal, client_id, registration_id, version, client_id_issued_at, client_secret_expires_at, registration_access_token_hash, registered_by, privileges, metadata, credentials, unused_open, used_at, suspended_at, fingerprint, token_fingerprint, statement_issuer, imported, search_text, search_version, indexed_version, preceding_token_hash, waits_since, parked_at, notice) OVERRIDING SYSTEM VALUE VALUES (35, 'keyed-expired', 'keyed-expired-first___', 1, 1700000000, 1700000060, 'keyed-expired-first________________________', 'token', '{"grant_types":"any","scope":"any","data":true,"preferred_client_id":true,"preferred_client_secret":true}', '{"redirect_uris":["https://rp.example/cb"],"client_name":"first","application_type":"web","grant_types":["authorization_code"],"id_token_signed_response_alg":"RS256","response_types":["code"],"subject_type":"public","token_endpoint_auth_method":"client_secret_basic"}', 'v2.3Uu-F0h2dUhX.3rqVbjYJG3sBMYTu-WWSXac3ezJoJh81_DAE30f-k921GTpxd3PSF-A6Up-8_7ZR0esik9QaLugKepoIcce4jko-yya1n9DS4GltQM1rU9uq_624lrNXE0qx9LT2ER_O7EVJHLXCtDUFlXhuvNJuxWimVU0JU3pVDu-O675u86mnWF-T1jnAiFWVaGlJOVggbXUinggeyxrYJRL9dFyZEg', 0, NULL, NULL, NULL, NULL, NULL, 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO public.clients (ordinal, client_id, registration_id, version, client_id_issued_at, client_secret_expires_at, registration_access_token_hash, registered_by, privileges, metadata, credentials, unused_open, used_at, suspended_at, fingerprint, token_fingerprint, statement_issuer, imported, search_text, search_version, indexed_version, preceding_token_hash, waits_since, parked_at, notice) OVERRIDING SYSTEM VALUE VALUES (1, 'with-secret', 'with-secret-first_____', 1, 1700000000, 1700000060, 'with-secret-first__________________________', 'token', '{"grant_types":"any","scope":"any","data":true,"preferred_client_id":true,"preferred_client_secret":true}', '{"redirect_uris":["https://rp.example/cb"],"client_name":"first","application_type":"web","grant_types":["authorization_code"],"id_token_signed_response_alg":"RS256","response_types":["code"],"subject_type":"public","token_endpoint_auth_method":"client_secret_basic"}', 'v2.vhZi-PMj08HS.RkkvuzqGXTFHZyKByQXPr3VtF3yW9ojtHnV_u8fqqJMlBTCCIW5IBE9DUWoDBUq-oLkz6AqnJxgpHP0RjacuZgHV3I1gkJBCNPvtTNuiY8swyhcrJN48AgupysHwsvQXEGjY8qGeRh9L6gp0RbH-aYdhjb2e5GgZbCH5AaKLPpsHpEm_lQR3G7UwgrVjJNxuvPsTtiOV6VD_svM8', 0, 1700006400, NULL, NULL, NULL, NULL, 0, 'with-secret
rp.example
first', NULL, 1, NULL, NULL, NULL, NULL);
INSERT INTO public.clients (ordinal, client_id, registration_id, version, client_id_issued_at, client_secret_expires_at, registration_access_token_hash, registered_by, privileges, metadata, credentials, unused_open, used_at, suspended_at, fingerprint, token_fingerprint, statement_issuer, imported, search_text, search_version, indexed_version, preceding_token_hash, waits_since, parked_at, notice) OVERRIDING SYSTEM VALUE VALUES (16, 'open-used', 'open-used-first_______', 1, 1700000000, 1700000060, 'open-used-first____________________________', 'nobody', '{"grant_types":"any","scope":"any","data":true,"preferred_client_id":true,"preferred_client_secret":true}', '{"redirect_uris":["https://rp.example/cb"],"client_name":"first","application_type":"web","grant_types":["authorization_code"],"id_token_signed_response_alg":"RS256","response_types":["code"],"subject_type":"public","token_endpoint_auth_method":"client_secret_basic"}', 'v2.vhZi-PMj08HS.cbP3hEiqS3dRcL66fXewijaoQV7O65WPXe2XG8ePRWaIyxH_Qr_84NAF1UTFxFr-AKWOHSh7Vw9pXtHcjRO5N2qEH8NPIGfdg14fU15POj2W_k_72WvialNoCRn1fsNzdapHen7Z44PB0KuBP-1RbexOpKGQ079G2ld881Qhc8BZj_ObqI9su1HtSUrtIWnzZAypnmzHp5g', 0, 1699833600, NULL, NULL, NULL, NULL, 0, 'open-used
rp.example
first', NULL, 1, NULL, NULL, NULL, NULL);
INSERT INTO public.clients (ordinal, client_id, registration_id, version, client_id_issued_at, client_secret_expires_at, registration_access_token_hash, registered_by, privileges, metadata, credentials, unused_open, used_at, suspended_at, fingerprint, token_fingerprint, statement_issuer, imported, search_text, search_version, indexed_version, preceding_token_hash, waits_since, parked_at, notice) OVERRIDING SYSTEM VALUE VALUES (20, 'parked-before-notices', 'parked-before-notices-first', 1, 1691532800, 1700000060, 'parked-before-notices-first________________', 'nobody', '{"grant_types":"any","scope":"any","data":true,"preferred_client_id":true,"preferred_client_secret":true}', '{"redirect_uris":["https://rp.example/cb"],"client_name":"first","application_type":"web","grant_types":["authorization_code"],"id_token_signed_response_alg":"RS256","response_types":["code"],"subject_type":"public","token_endpoint_auth_method":"client_secret_basic"}', 'v2.vhZi-PMj08HS.iZxTj4ep8cfkgCZPa1vJ84HeZaqPmDqbrmdIfwv1B0qVsfpAmA9i1xA9An6WONwQzOzF9g4OXNK_0DRBtM8RpGLHJRHhZrsTq1fw56gjA7VmdNf4zjkXMQP2A_5ZD-XxQu2y47fl2X-zpHphCBLCQrPRJnex_5jkSfoIspWFaA8PdUD0F7ycT_0ZeOzqdfwGJWXMV27l8FCBRnaM4UTYBNdw_3Q8bRRziclggbzFJBg', 2, NULL, NULL, NULL, NULL, NULL, 0, 'parked-before-notices
rp.example
first', NULL, 1, NULL, NULL, NULL, NULL);
INSERT INTO public.clients (ordinal, client_id, registration_id, version, client_id_issued_at, client_secret_expires_at, registration_access_token_hash, registered_by, privileges, metadata, credentials, unused_open, used_at, suspended_at, fingerprint, token_fingerprint, statement_issuer, imported, search_text, search_version, indexed_version, preceding_token_hash, waits_since, parked_at, notice) OVERRIDING SYSTEM VALUE VALUES (21, 'parked-with-statement', 'parked-with-statement-first', 1, 1691619200, 1700000060, 'parked-with-statement-first________________', 'nobody', '{"grant_types":"any","scope":"any","data":true,"preferred_client_id":true,"preferred_client_secret":true}', '{"redirect_uris":["https://rp.example/cb"],"client_name":"first","application_type":"web","grant_types":["authorization_code"],"id_token_signed_response_alg":"RS256","response_types":["code"],"subject_type":"public","token_endpoint_auth_method":"client_secret_basic"}', 'v2.vhZi-PMj08HS.lI300jbrXfNR6XrDw9BV6vJe-xkpw0C3PDE2jbDc4gnkFdvf_PJWtQyP_PidG_Zyd3156e-z8HMyP-GWWhg47_zfsl6MTe2kG4n-8oWSOLdJ9J257fiQQf-DnG0MydUJRZLYNyyJihpphPxd4DxORpXQU9t3zI7imqTliH1zp54phUh3i0Hmcsq11lmo51vHhrsZFRdxOYZXDbTsGllTqRpt6AjAFfCxgWDehaVGIKs', 2, NULL, NULL, NULL, NULL, 'https://statements.example', 0, 'parked-with-statement
rp.example
first', NULL, 1, NULL, NULL, 1694816000, 3);
INSERT INTO public.clients (ordinal, client_id, registration_id, version, client_id_issued_at, client_secret_expires_at, registration_access_token_hash, registered_by, privileges, metadata, credentials, unused_open, used_at, suspended_at, fingerprint, token_fingerprint, statement_issuer, imported, search_text, search_version, indexed_version, preceding_token_hash, waits_since, parked_at, notice) OVERRIDING SYSTEM VALUE VALUES (27, 'vHUGQ0GIBqepru8VpzUB', 'qMoccTR22Ri8AVeUwSTfrm', 272, 1596415885, NULL, 'qXGdLW0P0R4DuRGY8LKOhM19ODhSBnBg2RKXgmxMnwG', 'nobody', '{"grant_types":["authorization_code","urn:ietf:params:oauth:grant-type:device_code","urn:ietf:params:oauth:grant-type:saml2-bearer"],"scope":"any","data":true,"preferred_client_id":true,"preferred_client_secret":true}', '{"application_type":"native","grant_types":["urn:ietf:params:oauth:grant-type:saml2-bearer","authorization_code","refresh_token","password","urn:ietf:params:oauth:grant-type:jwt-bearer"],"redirect_uris":["https://peVQ.rT2xQc.RV9nO.pYv?c.e","http://localhost/uI@?48"],"token_endpoint_auth_method":"private_key_jwt","token_endpoint_auth_signing_alg":"ES512","userinfo_signed_response_alg":"ES256","introspection_signed_response_alg":"PS256","nfv_token_signed_response_alg":"RS512","userinfo_encrypted_response_alg":"ECDH-ES","userinfo_encrypted_response_enc":"A128CBC-HS256","request_object_encryption_alg":"RSA-OAEP","request_object_encryption_enc":"A256CBC-HS512","request_object_signing_alg":"ES256","backchannel_authentication_request_signing_alg":"EdDSA","jwks_uri":"https://EjH.vsEF?zj","client_name":"ﮦꆌ𑘀🚯𘣜￦𒄦🗗ᜐQ𝗓","client_uri":"http://qFmLZpTFw.zwCHY6n.fRNOpk.Bc","logo_uri":"https://0xnUZ.zJ/rLn,8.I~W?u;jw(!(59","policy_uri":"https://HLCf.DF?c","contacts":["𑦣⋃𒐩𔑖","𝐁𘮂𝀼ل⪹Ⰹ","#ꢅ","꠳ᕤ𛄅⛃ࠒ𓄴𘰼𐖎"],"scope":"uCE$PJ email","software_id":"𐧊ꇅꖳ𝢈㺸","software_version":"𝅘𝅥𝅮","data":{"callrena":[null]},"default_max_age":1993938490,"require_auth_time":true,"default_acr_values":["urn:acr:two-factors"],"request_uris":["https://TyhcIz.JLzWNKD1.VlQejUg.FO","https://HF104zvWe.vw5R6.I5No.GabW:27995?4fYtL","https://ZVj1ezf7.qOj/yXV_#h-_h-_h-_h-_h-_h-_h-_h-_h-_h-_h-_h-_h-_h-_A"],"backchannel_logout_session_required":false,"frontchannel_logout_session_required":true,"tls_client_certificate_bound_access_tokens":false,"use_mtls_endpoint_aliases":false,"require_signed_request_object":false,"dpop_bound_access_tokens":true,"authorization_details_types":["https://rp.example/type","urn:acr:two-factors"],"response_modes":["form_post"],"organization_name":"b","organization_uri":"https://203.0.113.7:50231/lNn14,","description":"𐚉ꈰ頻₍⍅Ỷݳ𝕛","keywords":["寧𔐧𖼜ᗘ𐪋⢸⨑","𝐭🐟ǧ"],"information_uri":"https://i4RGQC.xnV8B.hLB.BfZ/Q?argument","vp_formats_supported":{},"encrypted_response_enc_values_supported":["A128GCM"],"credential_offer_endpoint":"openid-credential-offer://","signed_jwks_uri":"https://203.0.113.7:3/s-","backchannel_user_code_parameter":true,"backchannel_token_delivery_mode":"ping","backchannel_client_notification_endpoint":"https://reQfa1.nam/!%C3%A9o-w%C3%A9j","subject_types_supported":["pairwise","public","of-tomorrow"],"userinfo_encryption_enc_values_supported":["A128CBC-HS256","A256CBC-HS512","A256GCM","A512GCM"],"frontchannel_logout_uri":"https://peVQ.rT2xQc.RV9nO.pYv/logout?by=browser","client_name#zh-Hant":"name","tos_uri#de-AT":"http://fCefa2.bB9fE5a.ELxY:36984/-thIeG?(","keywords#zh-Hant":["name"],"id_token_signed_response_alg":"RS256","response_types":["code"],"subject_type":"public"}', 'v2.vhZi-PMj08HS.UrEEusksdkLmrD199qiD51ND5C88I86nXSWhy5SKA-tMmG7qILUkddacfF_J9AH18hfK_r6DPuwbEYiFeid_qUIqjo6Mdm_cG074waSGr80Fd668sEfpee_xJsN-84Wx6eabBqGUag', 2, NULL, NULL, NULL, 'XT3_Dc-228D-', 'https://qP0aq.mv/Y?1sDR', 1, 'vhugq0gibqepru8vpzub
pevq.rt2xqc.rv9no.pyv
localhost
ejh.vsef
ہꆌ𑘀🚯𘣜₩𒄦🗗ᜐqz
qfmlzptfw.zwchy6n.frnopk.bc
0xnuz.zj
hlcf.df
𑦣⋃𒐩𔑖
b𘮂𝀼ل⪹ⰹ
#ꢅ
꠳ᕤ𛄅⛃ࠒ𓄴𘰼𐖵
𐧊ꇅꖳ𝢈㺸
tyhciz.jlzwnkd1.vlqejug.fo
hf104zvwe.vw5r6.i5no.gabw:27995
zvj1ezf7.qoj
203.0.113.7:50231
i4rgqc.xnv8b.hlb.bfz
203.0.113.7:3
name
fcefa2.bb9fe5a.elxy:36984', NULL, 272, NULL, NULL, 1694816000, 3);
INSERT INTO public.clients (ordinal, client_id, registration_id, version, client_id_issued_at, client_secret_expires_at, registration_access_token_hash, registered_by, privileges, metadata, credentials, unused_open, used_at, suspended_at, fingerprint, token_fingerprint, statement_issuer, imported, search_text, search_version, indexed_version, preceding_token_hash, waits_since, parked_at, notice) OVERRIDING SYSTEM VALUE VALUES (30, 'BpropertyIsEnumerabl', 'IqRmCwbUsJ70UQDaooHPlf', 19, 1491325997, NULL, 'tLlayz4CdKznvIQeLA5f24xndaz3W5gzWPYazMinch_', 'nobody', '{"grant_types":["implicit","password","urn:ietf:params:oauth:grant-type:device_code","urn:ietf:params:oauth:grant-type:jwt-bearer"],"scope":"any","data":false,"preferred_client_id":false,"preferred_client_secret":true}', '{"application_type":"native","grant_types":[],"redirect_uris":["https://R1PiEH.n085zck.HKt/a"],"post_logout_redirect_uris":["https://Okey5.05Fz.sY:3/ref%20UFca"],"claims_redirect_uris":[],"response_types":["none"],"token_endpoint_auth_method":"private_key_jwt","token_endpoint_auth_signing_alg":"PS256","id_token_signed_response_alg":"ES256","userinfo_signed_response_alg":"RS512","authorization_signed_response_alg":"RS256","introspection_signed_response_alg":"PS384","nfv_token_signed_response_alg":"EdDSA","id_token_encrypted_response_alg":"ECDH-ES","id_token_encrypted_response_enc":"A256CBC-HS512","nfv_token_encrypted_response_alg":"RSA-OAEP","nfv_token_encrypted_response_enc":"A256GCM","request_object_signing_alg":"RS512","backchannel_authentication_request_signing_alg":"RS384","jwks":{"keys":[{"kty":"EC","crv":"P-256","x":"GfyY-7Bnyw75Bgfk2VfPBpcFAGFaBY9wGAf81if70BY","y":"AAH7_Jf89nH7AUuli53U-qydqD8BswgBBwdhAwL773s","kid":"key-0"}]},"client_uri":"https://203.0.113.7?;hckRyR_","logo_uri":"https://qgpWmgW.Ewb:3588","tos_uri":"http://203.0.113.7/VwallFp%20ek","policy_uri":"https://u5pJI.ey:65532","scope":"s*lleapfca any","software_id":"''ꬳ𘤤*","software_version":"Ṣহ𛊃","data":{"ref":[true]},"default_max_age":326509198,"require_auth_time":true,"initiate_login_uri":"https://dBTpYGJe.PpKa.oL/qSrxYd","request_uris":["https://i0u7m.bcoy.zbPev8.XYx","https://Uyzvc.Apa5Jkx.aV:62111"],"backchannel_logout_uri":"https://203.0.113.7","backchannel_logout_session_required":false,"frontchannel_logout_session_required":false,"tls_client_certificate_bound_access_tokens":false,"use_mtls_endpoint_aliases":true,"require_pushed_authorization_requests":false,"dpop_bound_access_tokens":true,"response_modes":["query","jwt","query.jwt"],"client_registration_types":["automatic","explicit"],"organization_name":"ḯ㍿","organization_uri":"http://203.0.113.7/)U,AdFPqa","description":"rg","keywords":["𑩦𐝆𓈗𑱹𓄦𖿡⦞𐡚⧝ᣘ"," 𖮇𘯵"],"information_uri":"http://calln6.yljZ:8059","vp_formats_supported":{"mso_mdoc":{},"dc+sd-jwt":{"sd-jwt_alg_values":["ES256"]}},"encrypted_response_enc_values_supported":["A128GCM"],"credential_offer_endpoint":"https://203.0.113.7?vjmrural","signed_jwks_uri":"https://p1R2fz.GyrlS.pke","backchannel_user_code_parameter":true,"subject_types_supported":["pairwise","public","of-tomorrow"],"userinfo_encryption_enc_values_supported":["A128CBC-HS256","A256CBC-HS512","A256GCM","A512GCM"],"backchannel_token_delivery_modes_supported":["push","poll","ping","telepathy"],"subject_type":"pairwise","frontchannel_logout_uri":"https://R1PiEH.n085zck.HKt/logout?by=browser","client_name#zh-Hant":"&ꌦ","tos_uri#sl-rozaj-biske":"http://ytplh.bNbM6w2.7ml.jh:5/$s)","keywords#zh-Hant":["&ꌦ"]}', 'v2.vhZi-PMj08HS.2AFxJNrx9HdfUC4UgAXCOTRpJEHLHbAFuJXn47y3f-arUFn0oBz3gpP1WipdnKK9nKixBrKl2MM99VWFDoFXcesewsjhq_tk1oDDVWY7yiPNfR6isH8C3eHxRmK_AbPEdsiUKdGCzQ', 2, NULL, NULL, NULL, '3c3C8Cc-A9u2', 'https://khQh5C.y5eFLgf.r4QN.ygll:8/;', 0, 'bpropertyisenumerabl
r1pieh.n085zck.hkt
okey5.05fz.sy:3
203.0.113.7
qgpwmgw.ewb:3588
u5pji.ey:65532
''ꬳ𘤤*
dbtpygje.ppka.ol
i0u7m.bcoy.zbpev8.xyx
uyzvc.apa5jkx.av:62111
calln6.yljz:8059
p1r2fz.gyrls.pke
&ꌦ
ytplh.bnbm6w2.7ml.jh:5', NULL, 19, NULL, NULL, 1694816000, 3);
INSERT INTO public.clients (ordinal, client_id, registration_id, version, client_id_issued_at, client_secret_expires_at, registration_access_token_hash, registered_by, privileges, metadata, credentials, unused_open, used_at, suspended_at, fingerprint, token_fingerprint, statement_issuer, imported, search_text, search_version, indexed_version, preceding_token_hash, waits_since, parked_at, notice) OVERRIDING SYSTEM VALUE VALUES (22, 'parked-suspended', 'parked-suspended-first', 2, 1691273600, 1700000060, 'parked-suspended-first_____________________', 'nobody', '{"grant_types":"any","scope":"any","data":true,"preferred_client_id":true,"preferred_client_secret":true}', '{"redirect_uris":["https://rp.example/cb"],"client_name":"first","application_type":"web","grant_types":["authorization_code"],"id_token_signed_response_alg":"RS256","response_types":["code"],"subject_type":"public","token_endpoint_auth_method":"client_secret_basic"}', 'v2.3Uu-F0h2dUhX.KeLMpubMFp5v-PpQfaOeQpBEJSmZw7qFikCXTrU-bxZlExCRacHwntFWmJ9GDRa3d0AVhYdVMOi-w8f6QY3TSWYybWze-RhmecfbX2i7O8n0Yz0ouyhhQWVXcwgllVcH4xiXKVYwbGJZf9GwRZRQ_BLNgSOAzqouPDz8sF6JW14ajfK42K8QPTNrM2-ch218wj4d-C8PpVFS-kgmK9S7IDaGq4rElA', 2, NULL, 1700000003, NULL, NULL, NULL, 0, 'parked-suspended
rp.example
first', NULL, 1, NULL, NULL, 1694816000, 3);
INSERT INTO public.clients (ordinal, client_id, registration_id, version, client_id_issued_at, client_secret_expires_at, registration_access_token_hash, registered_by, privileges, metadata, credentials, unused_open, used_at, suspended_at, fingerprint, token_fingerprint, statement_issuer, imported, search_text, search_version, indexed_version, preceding_token_hash, waits_since, parked_at, notice) OVERRIDING SYSTEM VALUE VALUES (11, 'rotated', 'rotated-first_________', 2, 1700000000, 1700000060, 'rotated-updated____________________________', 'token', '{"grant_types":"any","scope":"any","data":true,"preferred_client_id":true,"preferred_client_secret":true}', '{"redirect_uris":["https://rp.example/cb"],"client_name":"first","application_type":"web","grant_types":["authorization_code"],"id_token_signed_response_alg":"RS256","response_types":["code"],"subject_type":"public","token_endpoint_auth_method":"client_secret_basic"}', 'v2.3Uu-F0h2dUhX.S3ayWRDepQFYdf2AOodOWnOIDkYVowZBcG5bgBCpRMO9yqFl7i77JfTqnThJLfdlpIda9kOmUQkTsQCi9Ry1O9T-fBsMcd60jz3YLGrihRA4q7AwMm3M8bxmvKarsdqIXKY-OPvwIAVYHfIow1HGa2AHJztHICVySuwcGI5ykHjnY0lfJY5P5VuZ3UkXeVjazKHvxETirbfcFQ7eQohtUEZ-M97NEnmNK2HazqmKcy11gbUPWk3f3sYIj4g_EAkzmSlnP5inZCrYy2GR0Mr8LssHXCWHKlEkypG2x4_g25EMiVKer9ViKXnDvLeJ7ELkjSA', 0, 1699920000, NULL, NULL, NULL, NULL, 0, 'rotated
rp.example
first', NULL, 1, 'rotated-first______________________________', NULL, NULL, NULL);
INSERT INTO public.clients (ordinal, client_id, registration_id, version, client_id_issued_at, client_secret_expires_at, registration_access_token_hash, registered_by, privileges, metadata, credentials, unused_open, used_at, suspended_at, fingerprint, token_fingerprint, statement_issuer, imported, search_text, search_version, indexed_version, preceding_token_hash, waits_since, parked_at, notice) OVERRIDING SYSTEM VALUE VALUES (36, 'imported', 'imported-first________', 1, 1700000000, 1700000060, 'imported-first_____________________________', 'token', '{"grant_types":"any","scope":"any","data":true,"preferred_client_id":true,"preferred_client_secret":true}', '{"redirect_uris":["https://rp.example/cb"],"client_name":"first","application_type":"web","grant_types":["authorization_code"],"id_token_signed_response_alg":"RS256","response_types":["code"],"subject_type":"public","token_endpoint_auth_method":"client_secret_basic"}', 'v2.3Uu-F0h2dUhX.s6TVPqSq1Kl2qFF_WWYqzO83J70p8gYy6k4BP4pKeB-FQc6LggPyxzqChEv-_UEWpBqmFTiw5Q1YVZy0YOtDRm91kGzOkHkCMo1daIOJM9_Ior4MMjx6KiakW4HoA3H6k1ZUI1D9AUzN-TAtPMaK51m3iX-5yHvh7xE5rfe39PDcRtaedo2rT-yV6d2eCPVM-stgzB-h', 0, 1699747200, NULL, NULL, NULL, NULL, 1, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO public.clients (ordinal, client_id, registration_id, version, client_id_issued_at, client_secret_expires_at, registration_access_token_hash, registered_by, privileges, metadata, credentials, unused_open, used_at, suspended_at, fingerprint, token_fingerprint, statement_issuer, imported, search_text, search_version, indexed_version, preceding_token_hash, waits_since, parked_at, notice) OVERRIDING SYSTEM VALUE VALUES (37, 'imported-unused', 'imported-unused-first_', 1, 1699913600, 1700000060, 'imported-unused-first______________________', 'nobody', '{"grant_types":"any","scope":"any","data":true,"preferred_client_id":true,"preferred_client_secret":true}', '{"redirect_uris":["https://rp.example/cb"],"client_name":"first","application_type":"web","grant_types":["authorization_code"],"id_token_signed_response_alg":"RS256","response_types":["code"],"subject_type":"public","token_endpoint_auth_method":"client_secret_basic"}', 'v2.3Uu-F0h2dUhX.dUzvZdDIkysr37RduNusJJFQ3V_wsJ7cbj6oxsc-O8dSd98fkNf17ZF8rHHi7y2k00CqcokT20PE-YO8SjZTIAygnqxe6UObUpAa-tl3bBfIeW_u3PcHRT6pHQFeOA9FTWX74nE-cxzd_5q2uxvgNk3_K7G4sp0FCbxS-2mdqJHIewjODsWLrzQ-nabbFKPsypb6ohob3RdZDvveglNZt95zS4A', 1, NULL, NULL, NULL, NULL, NULL, 1, NULL, NULL, NULL, NULL, 1700000005, NULL, NULL);
INSERT INTO public.clients (ordinal, client_id, registration_id, version, client_id_issued_at, client_secret_expires_at, registration_access_token_hash, registered_by, privileges, metadata, credentials, unused_open, used_at, suspended_at, fingerprint, token_fingerprint, statement_issuer, imported, search_text, search_version, indexed_version, preceding_token_hash, waits_since, parked_at, notice) OVERRIDING SYSTEM VALUE VALUES (38, 'removed-by-operator', 'removed-by-operator-second', 1, 1700000000, 1700000060, 'removed-by-operator-second_________________', 'token', '{"grant_types":"any","scope":"any","data":true,"preferred_client_id":true,"preferred_client_secret":true}', '{"redirect_uris":["https://rp.example/cb"],"client_name":"second","application_type":"web","grant_types":["authorization_code"],"id_token_signed_response_alg":"RS256","response_types":["code"],"subject_type":"public","token_endpoint_auth_method":"client_secret_basic"}', 'v2.3Uu-F0h2dUhX.mJtt0PECG9qYipYw-ZJyo3sYenvm6rYewlQJFJBi9smNIvWsr6PQrrGA_jOFf0rb3omw07FPdAGLjuwVQEYA4w1feCNSCWLjqhQI06CDnymKeamyKI7mrFm5gEzdZtMHrcZsVj54xx_-4co1VUj4GJ-3LvYZ5rSjO8xOg9p2EvEvpAUbkKo_U8Ij19viME1l35UWqbbTjRpv5qDPNACBU0VPnBYka8-oqXd7CFh5', 0, NULL, NULL, NULL, NULL, NULL, 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL);

INSERT INTO public.consents (client, sub, given_at, sealed) VALUES (11, 'zoe', 1699999995, 'v2.vhZi-PMj08HS.3IeAnrQ9f6PBHURfOEwPBHfxAjZFY58ErUcSDLKcW-IQQf2Ncn2VczeQkWCrm96gPzFIu9rAuT9BKcUVPIr-fLHk');
INSERT INTO public.consents (client, sub, given_at, sealed) VALUES (6, 'max', 1700000000, 'v2.vhZi-PMj08HS.4IQN6_vq11hp-aQiN7RbZ1rCiCJX23_gNSJ4SjeIwILwAFWv37EjuLiEBEQpBos5cbSy-a-VaISKYUwHZ3HUu-yC20Zs0pDlq_ofPDSfRmdWmcDtptW6b8VSjQcZmHhmvDbIWEI9jJOk_vj157HlRYpNcMM8m2cmx4SiPrLHLD4OZkl00kSWufak0mnDyUiSM5c57gIP8N5KZsN5Dj2WC6wc3_AC-d8Ve-xEmoCwBIPX8QillpIu7ZsSi3Hc');
INSERT INTO public.consents (client, sub, given_at, sealed) VALUES (1, 'zoe', 1700000000, 'v2.3Uu-F0h2dUhX.VPkCadyRATWeSpFPbYClRzwEB4sz3Zd6tQS1HARo0Spya1wvutb9QqVaA0J8bDlnP21EfFT5P_zUpWRY45FBdf12flUAl0p0Lkh4bnjl2l8PVOiVNs73ByKt4J6-M1rvUKWLii1GQpu-eRK_RnLe1zgAHwExVCHqXFimwJiARzeSFpjW4LfNOxeWCCdj7i6mqd2Udm3lbWcBpIfD0uHpmKgtRPF3AzyN7fqGJkOWBtfHIF-SzUrqRFCJ6Hax');

INSERT INTO public.end_user_sessions (ordinal, cookie_hash, sid, sub, auth_time, used_at, idle_lifetime, expires_at, over_at, declined, version, proof) OVERRIDING SYSTEM VALUE VALUES (5, 'cookie-4___________________________________', 'over', 'zoe', 1699913600, 1699913600, 600, 1699917200, 1699914200, '[]', 1, 'v2.vhZi-PMj08HS.uH8Xfar-MwGYasuf5ZnLDmPIEv9VwnFGYbd69Q');
INSERT INTO public.end_user_sessions (ordinal, cookie_hash, sid, sub, auth_time, used_at, idle_lifetime, expires_at, over_at, declined, version, proof) OVERRIDING SYSTEM VALUE VALUES (1, 'cookie-0___________________________________', 'three', 'zoe', 1700000000, 1700000008, 600, 1700003600, 1700000608, '[]', 2, 'v2.3Uu-F0h2dUhX.NkH2MVUFl2l0lI6PAPO_G9odF3seErFieXq2ng');
INSERT INTO public.end_user_sessions (ordinal, cookie_hash, sid, sub, auth_time, used_at, idle_lifetime, expires_at, over_at, declined, version, proof) OVERRIDING SYSTEM VALUE VALUES (2, 'cookie-1___________________________________', 'sid "of max"\', 'max', 1700000000, 1700000000, 600, 1700003600, 1700000600, '[{"confirmation":"declined___________________________________","expires_at":1700000500}]', 2, 'v2.3Uu-F0h2dUhX.754-D2dKnkJB7jVlGYe0JnV3QwIZaWLGit5G1Q');

INSERT INTO public.ending_confirmations (confirmation, remembered_until) VALUES ('confirmation_______________________________', 1700000600);

INSERT INTO public.foreign_keys (ordinal, kid, key, proof) OVERRIDING SYSTEM VALUE VALUES (1, 'foreign-rsa', '{"kid":"foreign-rsa","alg":"RS256","jwk":{"kty":"RSA","n":"n0","e":"AQAB"},"publishedAt":1700000000}', 'v2.vhZi-PMj08HS.ztcmUkMICdVIENABHKj24A-ma1IGU5lSVk7j3w');
INSERT INTO public.foreign_keys (ordinal, kid, key, proof) OVERRIDING SYSTEM VALUE VALUES (2, 'foreign-ec', '{"kid":"foreign-ec","alg":"ES256","jwk":{"kty":"EC","crv":"P-256","x":"x0","y":"y0"},"publishedAt":1700000000}', 'v2.vhZi-PMj08HS.E05u1CTzV5lwtuA2kY4WIBgCoAuAdA9S2rqIGA');
INSERT INTO public.foreign_keys (ordinal, kid, key, proof) OVERRIDING SYSTEM VALUE VALUES (3, 'foreign "okp"', '{"kid":"foreign \"okp\"","alg":"EdDSA","jwk":{"kty":"OKP","crv":"Ed25519","x":"x1"},"publishedAt":1700000005}', 'v2.vhZi-PMj08HS.6h_1r5IHaM_YfDzhhd0m1V8KM82TwAjq6TSRYA');

INSERT INTO public.initial_access_tokens (hash, scope, expires_at, proof, owner, issued_by) VALUES ('unknown-issuer_____________________________', 'client-reg', 1700003600, 'v2.vhZi-PMj08HS.cDPS4oKQfdWIRgUSdxLqg-k5T8NygDALYTd3Mw', NULL, NULL);
INSERT INTO public.initial_access_tokens (hash, scope, expires_at, proof, owner, issued_by) VALUES ('by-master__________________________________', 'client-reg', 1700003600, 'v2.vhZi-PMj08HS.j3lHwZXfggXE_gq9B2GzzTfotX8Pmf4WMcS-3g', NULL, '{"kind":"master","fingerprint":"master-print"}');
INSERT INTO public.initial_access_tokens (hash, scope, expires_at, proof, owner, issued_by) VALUES ('by-store___________________________________', 'client-reg', 1700007200, 'v2.vhZi-PMj08HS.WixUb6rzgLJsJemtZIEwBQr9-XAHi_xmrSUtLA', NULL, '{"kind":"store","fingerprint":""}');
INSERT INTO public.initial_access_tokens (hash, scope, expires_at, proof, owner, issued_by) VALUES ('by-operator________________________________', 'client-reg:grant:code client-reg:scope:Ab client-reg:set-id', 1700003600, 'v2.vhZi-PMj08HS.ybIe2NIUSsuvq1ueo9OQSf38mf6kEPBaTxKoIQ', NULL, '{"kind":"operator_token","fingerprint":"operator-pri","id":"operator___________________________________"}');
INSERT INTO public.initial_access_tokens (hash, scope, expires_at, proof, owner, issued_by) VALUES ('expired____________________________________', 'client-reg', 1700000001, 'v2.vhZi-PMj08HS.fptZBcntkT6WsbtfzkflXtmWAOebDo4CCXVhSA', NULL, NULL);
INSERT INTO public.initial_access_tokens (hash, scope, expires_at, proof, owner, issued_by) VALUES ('of-a-client________________________________', 'client-reg', 1700003600, 'v2.3Uu-F0h2dUhX.q8Jl3cJs4s2FURoXNbA1zdh5_NIlb35oHF1Y1A', 1, NULL);

INSERT INTO public.instances (id, seen_at, instance) VALUES ('instance-1', 1700000000, '{"id":"instance-1","version":"1.0.0","started_at":1700000000,"seals_with":"a key","opens_with":["a key","another key"],"settings":{"base-url":"a digest"}}');
INSERT INTO public.instances (id, seen_at, instance) VALUES ('instance-2', 1700000000, '{"id":"instance-2","version":"1.0.0","started_at":1700000000,"seals_with":"a key","opens_with":["a key","another key"],"settings":{"base-url":"a digest"}}');
INSERT INTO public.instances (id, seen_at, instance) VALUES ('of-later-version', 1700000000, '{"id":"of-later-version"}');

INSERT INTO public.key_rings (alg, use, version, sealed) VALUES ('RSA-OAEP-256', 'enc', 1, 'v2.vhZi-PMj08HS.n7Ofb8CGCMlSwEHakr1nVal_VAMPC-bR_BZMCOokomWAcu1d18ra64eueOs28A9tNGBM2ZpdrhIaE2yp8Er3zDCe5yvwVzpZo7Xi4ttD10Yy8k5rhf0AxOIWDHb4uyhemqTT7BwqhmnEkh-CGyGQZ1cvNanBD9B6mekxwQQ4Cov1T4aXlKKIxQepxL_z4ZuBxjX7Dhpr9GxFLXk_rVvcXhjv5y_vh6GhetewKK-MAYDKZherTvf-QNmjOdVhwyh_5lE3eKcHLWkCrJqn-q3VrRJxnUuwVcmbp8aJNuXE8VTnYSe256qwcBzRvq-qtInrTQpZ0Jhm3jthxoY2kfpwNwhj6hry2yO9qMyx3U63_6nQGIeGd7BluBBlNATIaMlKx-GQVFo7M5fBg6uWuvjY9za0K6Iry9wAxpqx6bW7aKEyt5NCMpejtQB3_HpN_vxI75zjvTFIIYF1YbOlItUP9zkmL0YYTiavbanz0Be0BsIHjAxdZgZ3emdym2HhUQRK-_tRcf3dYNwfvJqlIy8gIdUQsUqRsjaHS76PhvhrGvruMxpBzVq30zErBzdZ0mE');
INSERT INTO public.key_rings (alg, use, version, sealed) VALUES ('ES256', 'sig', 1, 'v2.vhZi-PMj08HS.qi1L9uINhB6AzEuwD1ir2BqCUMv73dgxH823dujE20oiHonmspC4dHAaAzJBZlfJZ9Qb4FOc22cbzU2FCM2yxcBQOnc3u-rSzhF0OF4B5ppEOyFwuSnnNSYeT8DsBiLWrUoB3snJTV9fTEoVNfnacFmTGyBaqaY7uCm6mGL5jlff6izTJdGQFCX2GAbCNMMKILKDDeJrwcpft-XIv6n8iMTpO-MoOO3X9Dvhgga_qmTNjZK4XJAtLJUY8fSSmXAU_qwU1MlKTN4QqNUwPYp-8AZxZjB9K4xV0MfjoTmC2dg0q1RAIMu5ma5Iwd3GAjCzt9t1tFBBxXYeVDLzXtlC0tGnwvQma8kYjw-FAVP_7Y0Jn71QnqsTcov3qgW_YRsB3A0Y5qfGn1VZT0jn9y4mF72eMS9CMsZJc1i5h3CtOhBAs6CaVY-5usLXnGgUtpainKv8SWgUpdoYHATY2GMm57FyzhUxxyT2yQJ2tzwPTswgi1GKZjgJfuAp42RMEhZsRr0M4ApgO5-V5diUn3mffehohWRdCIqFMYEVskH6V-J3u4GuOFcjD3cMuCWAqOYWPpza0CPzO8lA00CXSVqM51ceBVVXZZpfZJX7y2zebJvO2llsJK0ezs8gGnGNCYJN_TVMbJdviBCJfII1jeOOMAESwTrGFIECnvokm06e7_76yZbTRFMNPekprm2jbVYIoC4ACyVO_9RF5i0DxT6YWk0slG_8ro_eY3ZSFumga7vUZOoqnWEfjfbuybSpyofRR9VUmno22hwTgSoGqNsAmd9UwjpmDKLV-GfLLGdmyS388KumpaEDRfZiUf-wuh_OHvWPiZEanorEgUktUw3Z8mKH1n38NQ');
INSERT INTO public.key_rings (alg, use, version, sealed) VALUES ('EdDSA', 'sig', 1, 'v2.vhZi-PMj08HS.VDpDp9iW3g9qILMmdZZahN6cVMESBYHgbjPDpMmYF99MxXgXEUeW5MdClQlAp-KwREZL-dpFGJTUAW17-u1-wrHVUB35sIfl2nAEmkBl3GUe7P1gs3cGDGOLIlrZcdE6exnhTZsVlF7-nImc-M0eI_M7jt8SAvtUqrkryrdH5U0Pd7pWFpjX2ufsYjsIwIBGv8_lauE7ckm06JQshA1X_33BI6sCEtlJfbZRl5ROVS1hY78XlHFe9xajztzdg-0kbeCQBw8xULrJzj5fBkAa6Ki6ftuv7D2pkItK_yLZ4zH4RTt9NXsD3Ex_q1J0p-_2dvoe499mjw6uxjx5Al8rM-lPpX213Dr7qfhBIq_7rLmFZHPJqGTFV0iD6lYSj4X6VXibj8d_DPGxlegP1TT3gLQjUvwVaim68UMsM6Oyc1rIQsHF98gL2CuEP5QJUoOaRu50qhs5Ud4kM-GxtxRQ7cVDfhGlGyuSrosDxFAzRYfXOkYjvJ3NxhuqPRzzivQNwGauuqtwxayQ-G0jEiYLWtWdd-Co6_bq6yd_tWCJfzq0hnZO_agljaq1MQ');
INSERT INTO public.key_rings (alg, use, version, sealed) VALUES ('RS256', 'sig', 2, 'v2.3Uu-F0h2dUhX.MtuCkPZ2rvk-eMBwz3kq_W1prx0EMDrpi2OysSSR0ke8t2s9l2Pyz6IeoXClFH4C32ObbWBO9zCSBHKd353qgtkYq0HVkWaZmbZ7LiuhpoQNl3ACHgOG9a4HeHvYmbr1iurcs_qjPHPHaASe0H5utSop9Mp6fvG9e4K5Go-tWolEI9Whoqijjgrz5jBu1N7xnjGJbhyf3TSFQNw0MuGl_HqkzmiQ9Qbt2RleAJa4uYYcuyMuw1YdLaYDaPhYZIHuJLxnsDmdG8IG-ITX7SjiNzOTmtX9ez3fakBfoi1ldObnF0WugjgJ1aAKtX8gHe7zgJlqWHxkz72Z-rQhzTsPJtj30oj_h5XYFhmGqq3dDu23WOhU9rP54k0GNyCVs8e4U7ZmtlLeo9l6GJ8UyfgXy0nAA5djGGPFZc-Th6xigsAltJ7JxaVKxKg0zwgT43jJPtjy5OuChLGJVKnvHGkQnnluB614oy65RpCi6SaAsIrUlqStQJR1ttblJNjCAzwEU8TT_0iKMwU-ZbT4f09m-vq2EXQHN3HIvODewfDL-o29WKcLSj8RYz7bHxzZC7xNmjqwJOKU2juR-BB_zgmRGw_9F_Md7Tnhx0OM8ZoxruFlvD9JPssxD65ENUU1NV4RL979bRnbgQBzIgUCaW9sleZemINgfh32tLSTzRI_0k30l8EJAGHmVu8-lK1fn4KySe5Xb-EAKlP_CzwNPIfjV_sfXoJec1pxZdYYW28EHWgEuqwhD5tFwgFA2exTbsqotJ6qEwLTarobD8QaLVtj0jfMVmX-3PQ2maDA5X-2rSS8ZxEeje4MSI1T9NA33cfZiPVHx34');

INSERT INTO public.keyed_registrations (key, client, request, expires_at) VALUES ('key-of-keyed_______________________________', 34, 'request-of-keyed___________________________', 1700086400);
INSERT INTO public.keyed_registrations (key, client, request, expires_at) VALUES ('key-of-keyed-expired_______________________', 35, 'request-of-keyed-expired___________________', 1700000001);

INSERT INTO public.leases (name, holder, until) VALUES ('keys', 'instance-1', 1700000060);
INSERT INTO public.leases (name, holder, until) VALUES ('deliveries', 'instance-2', 1700000090);

INSERT INTO public.notifications (ordinal, id, client, uri, receiver, alg, sub, sid, created_at, attempts, due_at, failed, note, claimed_by, claimed_until) OVERRIDING SYSTEM VALUE VALUES (4, 'claimed', 2, 'https://short.example/logout?of=short', 'https://short.example', 'RS256', 'sub at short', 'sid at short', 1700000014, 0, 1700000014, 0, '""', 'instance-1', 1700000050);
INSERT INTO public.notifications (ordinal, id, client, uri, receiver, alg, sub, sid, created_at, attempts, due_at, failed, note, claimed_by, claimed_until) OVERRIDING SYSTEM VALUE VALUES (5, 'to a "client"', 1, 'https://with-secret.example/logout?of=with-secret', 'https://with-secret.example', 'RS256', 'sub at with-secret', 'sid at with-secret', 1700000015, 0, 1700000015, 0, '""', 'instance-1', 1700000050);
INSERT INTO public.notifications (ordinal, id, client, uri, receiver, alg, sub, sid, created_at, attempts, due_at, failed, note, claimed_by, claimed_until) OVERRIDING SYSTEM VALUE VALUES (1, 'failed', 11, 'https://rotated.example/logout?of=rotated', 'https://rotated.example', 'RS256', 'sub at rotated', 'sid at rotated', 1700000011, 9, 1700000021, 1, '"answered 500"', NULL, NULL);
INSERT INTO public.notifications (ordinal, id, client, uri, receiver, alg, sub, sid, created_at, attempts, due_at, failed, note, claimed_by, claimed_until) OVERRIDING SYSTEM VALUE VALUES (2, 'later', 12, 'https://renamed.example/logout?of=renamed', 'https://renamed.example', 'RS256', 'sub at renamed', 'sid at renamed', 1700000012, 1, 1700000080, 0, '"unanswered: \"\u0000ü\""', NULL, NULL);
INSERT INTO public.notifications (ordinal, id, client, uri, receiver, alg, sub, sid, created_at, attempts, due_at, failed, note, claimed_by, claimed_until) OVERRIDING SYSTEM VALUE VALUES (6, 'waiting', 3, 'https://without-secret.example/logout?of=without-secret', 'https://without-secret.example', 'RS256', 'sub at without-secret', 'sid at without-secret', 1700000016, 0, 1700000016, 0, '""', NULL, NULL);

INSERT INTO public.observed_days (day) VALUES (1699920000);
INSERT INTO public.observed_days (day) VALUES (1699833600);
INSERT INTO public.observed_days (day) VALUES (1700006400);
INSERT INTO public.observed_days (day) VALUES (1674000000);
INSERT INTO public.observed_days (day) VALUES (1699747200);

INSERT INTO public.operator_tokens (hash, privileges, name, issued_at, expires_at, issued_by, proof) VALUES ('operator___________________________________', 'clients:read clients:secrets clients:write tokens keys sessions deliveries audit metrics', 'the laptop "of Zoë" 😀', 1700000000, 1700003600, '{"kind":"store","fingerprint":""}', 'v2.vhZi-PMj08HS.lM5IFcyJ3wXnZfU1nhq2-cFzzNcz5XGrdfU-iA');
INSERT INTO public.operator_tokens (hash, privileges, name, issued_at, expires_at, issued_by, proof) VALUES ('operator-by-master_________________________', 'clients:read clients:secrets clients:write tokens keys sessions deliveries audit metrics', NULL, 1700000000, 1700003600, '{"kind":"master","fingerprint":"master-print"}', 'v2.vhZi-PMj08HS.WSJgM8mfbZk4e6VXfIVSK741PRgJ45mimgiMLA');
INSERT INTO public.operator_tokens (hash, privileges, name, issued_at, expires_at, issued_by, proof) VALUES ('operator-by-operator_______________________', 'clients:read', 'reads', 1700000000, 1700003600, '{"kind":"operator_token","fingerprint":"operator____","id":"operator___________________________________"}', 'v2.vhZi-PMj08HS.JN2JOwedJULLYESr36pAiAZ33T4S-EOq0q-4Vg');
INSERT INTO public.operator_tokens (hash, privileges, name, issued_at, expires_at, issued_by, proof) VALUES ('operator-expired___________________________', 'clients:read clients:secrets clients:write tokens keys sessions deliveries audit metrics', NULL, 1700000000, 1700000001, '{"kind":"store","fingerprint":""}', 'v2.vhZi-PMj08HS.8lm07oqsDTUU6XyistCNVP-p2R9tOqBsyyd-oQ');

INSERT INTO public.provider_events (transaction, ordinal, event) OVERRIDING SYSTEM VALUE VALUES ('1', 1, '{"event":"client_deleted","client_id":"gone","registration_id":"gone-first____________"}');
INSERT INTO public.provider_events (transaction, ordinal, event) OVERRIDING SYSTEM VALUE VALUES ('2', 2, '{"event":"client_deleted","client_id":"gone-rotated","registration_id":"gone-rotated-first____"}');
INSERT INTO public.provider_events (transaction, ordinal, event) OVERRIDING SYSTEM VALUE VALUES ('3', 3, '{"event":"client_deleted","client_id":"gone-for-good","registration_id":"gone-for-good-first___"}');
INSERT INTO public.provider_events (transaction, ordinal, event) OVERRIDING SYSTEM VALUE VALUES ('4', 4, '{"event":"client_deleted","client_id":"removed-by-client","registration_id":"removed-by-client-first"}');
INSERT INTO public.provider_events (transaction, ordinal, event) OVERRIDING SYSTEM VALUE VALUES ('5', 5, '{"event":"client_deleted","client_id":"removed-by-operator","registration_id":"removed-by-operator-first"}');
INSERT INTO public.provider_events (transaction, ordinal, event) OVERRIDING SYSTEM VALUE VALUES ('6', 6, '{"event":"session_ended","sid":"ended-by-user"}');
INSERT INTO public.provider_events (transaction, ordinal, event) OVERRIDING SYSTEM VALUE VALUES ('7', 7, '{"event":"session_ended","sid":"ended-by-operator"}');
INSERT INTO public.provider_events (transaction, ordinal, event) OVERRIDING SYSTEM VALUE VALUES ('8', 8, '{"event":"client_moved","client_id":"short"}');

INSERT INTO public.receipts (id, rows, written_at) VALUES ('af3aa957-3f5c-4514-b544-5f62592dded4', 9, '2026-11-27 11:28:09.665828+00');
INSERT INTO public.receipts (id, rows, written_at) VALUES ('ab3e5ba4-0db0-4de3-b505-43578dfc3564', 1, '2026-11-27 11:28:09.668337+00');
INSERT INTO public.receipts (id, rows, written_at) VALUES ('23c816b9-c77b-43c0-b665-5641a4b925e7', 1, '2026-11-27 11:28:09.746424+00');
INSERT INTO public.receipts (id, rows, written_at) VALUES ('0bf063af-ae47-4e1d-bd3b-fcdbf7542305', 1, '2026-11-27 11:28:09.750541+00');
INSERT INTO public.receipts (id, rows, written_at) VALUES ('268a32fe-53b8-48aa-83ff-73c70438d60f', 1, '2026-11-27 11:28:09.818479+00');

INSERT INTO public.removed_clients (ordinal, client_id, registration_id, version, client_id_issued_at, client_secret_expires_at, registration_access_token_hash, preceding_token_hash, registered_by, privileges, metadata, suspended_at, credentials, token_fingerprint, statement_issuer, imported, removed_at) OVERRIDING SYSTEM VALUE VALUES (1, 'gone', 'gone-first____________', 1, 1691100800, 1700000060, 'gone-first_________________________________', NULL, 'nobody', '{"grant_types":"any","scope":"any","data":true,"preferred_client_id":true,"preferred_client_secret":true}', '{"redirect_uris":["https://rp.example/cb"],"client_name":"first","application_type":"web","grant_types":["authorization_code"],"id_token_signed_response_alg":"RS256","response_types":["code"],"subject_type":"public","token_endpoint_auth_method":"client_secret_basic"}', NULL, 'v2.vhZi-PMj08HS.QFAakKwP7Q8RqsivRsvu7ucN5NCLweZL3e10E6SmUNe-MxN-OQ3klD9rLS4sfBhEPXUlnOJtcssShIIHmo6yiRBYt-P6-5W61rnDA0QgAhhdsR6lTcB_BPFbyvfU_iqkVZWxv_knq1eCMpBhrc3ytWJyNrpuERlvZXAracWDl8qd20XAq0aNW8JZDijCvA', NULL, 'https://statements.example', 0, 1699136000);
INSERT INTO public.removed_clients (ordinal, client_id, registration_id, version, client_id_issued_at, client_secret_expires_at, registration_access_token_hash, preceding_token_hash, registered_by, privileges, metadata, suspended_at, credentials, token_fingerprint, statement_issuer, imported, removed_at) OVERRIDING SYSTEM VALUE VALUES (2, 'gone-rotated', 'gone-rotated-first____', 2, 1691187200, NULL, 'gone-rotated-updated_______________________', 'gone-rotated-first_________________________', 'nobody', '{"grant_types":"any","scope":"any","data":true,"preferred_client_id":true,"preferred_client_secret":true}', '{"redirect_uris":["https://rp.example/cb"],"client_name":"first","application_type":"web","grant_types":["authorization_code"],"id_token_signed_response_alg":"RS256","response_types":["code"],"subject_type":"public","token_endpoint_auth_method":"client_secret_basic"}', NULL, 'v2.3Uu-F0h2dUhX.v5xB4TMl0nG0xc-hIzclLNcECS9dRG7MxrxDAdQ2-0XbllRnOiGhYZNIC-LqPLJH8NnlvHdSlv83uM0A_oSO8Ar7OVo5wz2IU3Cu_4AnH-PEACUjz9PwvuOez1hzcPfFc70CguDyFZZkJj1h4XMqPb97cIvxvRYZz_aaTSqPWnGpZSahzrTUZQ46qPBXt46KvUzN8ob9lK32na5wsQc6RVNtfZSqKaP8ei7ugriGL-fA8u2OOgwQww-R_ZluNSk2HQ', NULL, NULL, 0, 1699568000);

INSERT INTO public.schema_version (product, version, works_with) VALUES ('clientele', 15, 13);

INSERT INTO public.search_blocks (block, tokens) VALUES (0, '{569896443,-1778874136,2081315316,107451335,426454172,-1155074638,1987228177,-448476705,821323692,-1931927037,1792251522,1510498252,1671851915,-613976595,489134617,-445011172,1983534548,-1394312954,-2130218397,886860050,-550639069,-54287186,-1457650480,-1106329126,-3954329,-1424345505,1871980883,-1317561861,-1080265981,-1535670908,597231503,-1393327216,1646105867,829038647,211199171,1537336773,-2110756734,174789887,-1253327591,-1493744554,476152855,-1073612531,2072690390,-911386005,2056163034,9424791,-1456790817,-1306380626,595082218,2125599877,193649003,-751346010,-138651033,527074092,-1853905703,-144017441,-1909539814,-541608079,227556745,827112985,-1647169113,-244027741,-1032592601,1293625206,-1026880769,-533316997,-499457889,-816850501,26645362,1718492083,930031138,1242191190,-2116942445,-1013449695,1063925313,392898934,-568843711,-108687183,196391361,2139800866,57118478,-110282541,-1425942530,1990626676,-846744690,-242363682,1697571557,-1019619579,-160795060,1747730865,1241467968,377293815,-1731977470,-1469639154,-110838625,2038166188,-936207236,-1815237826,-87842424,1730288152,804343477,-1996166727,-1633446469,955069939,1265313975,-850997743,-460690425,-1281534941,-787251418,1534427280,-1247407330,299425161,-667537949,-1187340268,-1310866144,-937125913,400737157,1081029709,-1980435513,808037106,-1938017607,-1220351053,1689909462,-192417563,-884072878,1150396171,-650024855,1867224048,1787721130,446414494,-950435406,804546073,2006565652,-582075736,735192838,-1012051719,1158553358,-770165459,-1224611102,1257541786,1737388273,781128231,807909378,754213216,2123567700,1916424072,1667273863,1011506472,108980579,-1619709645,-234152888,428866933,972244795,1767000566,91887530,-1813562207,-394678315,1395876598,1240764167,-2121611192,-778150791,-904680601,1815102944,1867666280,43128791,1800555804,243768671,-1373468195,1800113572,2140639509,1090457144,375487141,-1458512030,596510181,370094259,258972172,1469170932,-1238962733,839867591,-25555803,2043656804,-730899336,1666584168,846143043,1444361261,2098588027,-267708126,763433575,1348499102,-1593718720,227535505,1387153938,-2122744025,-1709314765,-2094387813,59067767,699505802,-904386411,-905247961,1927346304,-75573230,-418706697,628373980,-485817173,158012268,1041993535,-1171842577,-291947837,1865027103,593980099,2066358531,862593885,60597958,1025215916,-1624691195,1420934679,-219173216,230254016,1350222168,1225663834,1788309510,969909502,-1540134459,1455249212,-1828074160,-1071186543,2072940653,242376115,-710054577,-1566964027,-996905565,1323384587,1002354814,-1216899694,-2025305861,-2070595740,1640539436,-378395788,1235462879,1392264910,364823692,-1177878613,-1058581852,1774435278,-1052661284,-1434918073,1350610566,-1955171357,1781929964,2134554153,-1069438903,344245016,165038275,-2038218884,1951265447,-1228655335,-1632621966,-1363047229,237761929,1992031739,1356539874,1737017369,1333432989,44068715,-602572498,-959430282,1542185182,1803783354,1426744999,1550374983,1793875941,-629814297,1625528824,1819451047,1385282837,-969682186,142151686,-1909131116,1110236844,945476875,-1401700219,1809494253,1647982168,1133053079,-1525223495,220827528,1411362729,1419008077,-1642227196,-15879972,2053820654,298404764,-140295725,-962277468,-1130347848,1364587026,170212761,1599869197,813243219,1366953060,1591973586,842020409,-661590248,1414919883,2001385993,338270861,1394040657,1746258028,-1593696591,-980424594,-1047344307,1914105480,-490684894,-1124921887,155908952,2021123229,2137908443,676383958,1110511458,1284479650,1988627719,-532853654,-1929670833,1941105237,786415120,1147552440,-1211223239,1988948923,-1915767893,-1275297463,-754394066,1760159486,1654150462,232148751,-899795132,-1158893402,762837168,134490538,108811304,1457311349,-1941651255,-1384646830,-1497094659,590987698,1354289308,85640205,1010216864,1341295039,-1464448418,-1172306769,-99125880,-313122920,1926403787,-801510532,1441372373,1834293324,1995757022,1078597581,1382644573,1739777187,663885800,-1720359532,1317052728,-1137983489,-388402863,-1654553764,969093766,1194272034,531706705,1888464312,544260409,-1828291856,1955689289,-1685151788,943005107,1892009906,107201072,1468844508,-384513337,1220706986,2014192708,-1733095857,1278369679,-2110268244,1669530053,1323952570,-1884997153,-555340403,2033721977,-1626007257,-1015359523,-1982721493,-1230278814,1393387123,-126075362,1627353205,792809045,1040566512,-1395445787,1564094073,812748127,1939039405,-1319634618,1558565443,1608431535,-1191743872,-2129358734,-510828493,1002649004,-2009164289,-595112999,-1523561309,1781194509,-2099326183,-2116117029,-83333999,1687349606,1517998358,-187893304,1207899530,-118360407,-2075082925,1785160334,-1783370274,1733003096,1738668201,911082994,-275455668,1608457015,-254856685,-1401008671,1918668498,-1383187213,-81169614,1642012253,1976860832,-1764170214,-2053126573,1873939132,-1534515168,1457164254,1466532668,1129404317,-1572386862,-294373825,254100856,1464809602,-37509567,-1356837671,-2038164382,-2082737933,56868215,1424594754,-2125268687,-1205407495,-700873024,1803528442,-728493788,494416157,598439024,-1398263933,-2089660818,-968520071,-643569504,-435516903,-957403312,-610919054,1047634793,-1648413847,1232484645,-1241535816,1759482060,356986422,1358072658,-1632077513,299777253,92644245,1084913620,1243098520,1930295505,420868401,1443932229,-891823027,739259978,632395326,-1608354861,-1891845178,1637436074,1292242110,-1403705215,-747756262,594706114,-1868339248,-1629438343,1710402657,-573952090,1583091578,1316424694,-1067970333,1376527563,1454351006,-1956899019,-788540581,184025261,480180604,2097621477,1527174517,508754579,-2003342927,-1690393732,1039031485,196516136,662133729,1846014547,763296434,-1556912078,1723544021,196685551,-58207231,1545256924,-1360996439,1209737111,-808330437,1064412412,-1850186560,115767897,430475518,739453793,231089112,625112896,1206485707,-1793114806,1099497841,17331715,2072249105,-356761747,-1832665439,1668950202,1762706990,-1347296682,-97384360,1664339536,-1748908639,-274719273,-1699040894,-1587693331,-874950267,2032950388,1357484278,1365064445,521364113,822040720,204868245,-1284572316,-1626121785,2123919991,-1975187153,-1148629931,1057899897,974588869,776472711,-1361418364,1428782562,-1546441778,-1159688851,-1780621076,-824147098,-1883594703,1226459256,-1184608557,737254035,1756034200,1519598930,-398395764,1442108795,1222130493,-520537831,-1665017944,764978646,1455807612,719992857,-2137639162,-829660628,972616453,1497254914,19496100,1240335135,-764533881,1668915015,1826284179,-757881405,2003315195,1813334037,-557174471,2019456767,1902649481,1376130205,1756702841,265703989,-1275192335,142535817,2004447081,-50823506,-187634308,1511939449,1309019729,767514868,1938911670,-1618188407,1879191059,1883084650,723787767,260830073,1711829680,1921544724,1098365008,77745568,-1623799685,584065572,-900382785,2055600888,-908182288,451123821,2067932649,1145163584,-1093448645,1383777406,889714096,-815398718,-1115583952,-1923937259,-916936568,1855249044,1472321021,1610904243,2096345268,297446406,-282523949,-1270875152,852907454,1769864182,-686810045,1029729271,-1363238834,262471952,-935528888,-1726901980,-790213849,-264113191,1225676087,227783881,-514908860,358312164,-1182877657,1838956871,-356274648,1132930524,1855545121,-1863965665,604958018,1263048202,1836921154,-29802605,-795574137,1508629944,125360840,1026495844,719909276,-316036913,-965459218,320335629,661105675,1619785345,369176282,1631351644,1797032170,329556948,2012223684,826444324,1626514562,-1399853871,271900347,954955317,1247305682,575095469,1273345920,531956968,852466169,585010003,1828127927,-452409030,1743516610,-1649051588,1373941280,483105668,-266366577,1169199800,-858835169,751219868,-684987857,532316982,-1162582789,-1697658846,-637600846,721466574,-1809451140,472209903,1636970029,834578624,-1970215263,1609918505,-1098045158,1124011435,-318853192,-519993378,-110907975,1324223230,-2023296591,-222616569,-2016490880,1548575142,-1963363704,1551506869,1696729347,765202482,1692319630,-1376444776,1843424689,511769290,-1736066865,846257551,-1021014008,-371768792,-938959981,1745929371,-1091477169,-1528386811,-474566304,-815626074,-1612481042,878578675,1993560983,600298011,1523809618,-1612595570,1006273912,-1205044604,-1517591394,-1063782552,561038028,1795717775,1686216773,-1830590089,-2104335840,251972605,399217573,1983555582,-816347595,-1747212933,148260656,-1597760373,-1574207723,853375166,-1321116415,-1530573156,-253032304,-1844174398,406139699,1527967419,-1962692470,-1189965305,-608354711,-965664450,-1594590296,2036154703,1696356430,980816293,923531025,-2084659385,95590886,1611152653,-1675730480,1656092628,1828978823,159607626,1547486456,113141007,961154248,-945499849,-1264715895,264978221,-2006711888,807989419,-74520678,-50617404,-375872066,1328766122,-1087954482,1420502134,-664208178,-21908928,2020635380,-1003139690,1404157060,-1208905642,-2115220285,952111678,1836603117,-495344029,1866532500,1407784568,568027188,-1289477152,1238191084,-1060095996,1343119420,-2110962836,-2114381642,-728156271,1422383669,-2048699136,947366437,-977541663,-1147917363,-1653862216,65398906,887685466,-1606236290,-1031360147,1402549408,1226808920,1011960984,-1103054815,422666328,218417367,433067001,-1050248523,1371896610,-1969497481,434962417,-222352363,2039907861,-444022461,-764628491,-995361984,1711871274,1163009277,1346292123,-1498448281,-2007531164,1319011004,-1099792071,1350911863,-1932221227,2143484822,1441122110,533531086,-745490596,1767249882,-715058094,-1217146410,1973849057,-1937142830,-1766704563,1334655790,1023297307,-1550128307,-1443035579,-1546106041,2081073080,-435631411,1642997991,-947807762,-1959066615,-1483967455,-839959979,529811943,1960344809,-1250233936,-1735962044,1860121300,1123320834,-1401306408,2133200324,-1597907468,-1130200753,-1371449272,1338341372,1760429021,1861856687,1668003178,-980851141,893554800,1662041276,-386375886,730603405,1618935355,-919509651,-1483889061,-282729145,-183509067,-790959951,-1133573745,1440386635,1600424963,-53698806,1746405123,-2003450797,708523592,-1164681755,109274769,1596980670,-1790046631,-272386553,-1518374563,756420781,1390347968,-953686810,-469366331,-1821885856,-814063289,-1788691862,-181835328,1893970728,-1677901005,1495283438,-1013729005,351597080,-10242261,-983481571,-1167104203,200504315,-512312890,1964514170,-209775755,1846595085,-1427323739,265731369,1966777963,1062892828,792024936,380426478,-589363918,-1941325928,-406816266,-851955280,-623181858,1347282696,-1301699557,-1212784133,-319458319,-1651248533,-277073933,1075516159,-773495271,-734150740,-679218763,900997552,829615687,793456432,-1205026911,1115029752,1189514273,-340786637,1446922057,-418739284,-1477656596,-1580248006,-885398627,1763545633,-560041744,1900182913,2028101959,1459564762,390587474,1144562004,550684823,1782644405,-1680724351,1082075394,191089167,-1541100857,-557059023,1354156160,93460708,-1777107129,-1902490893,-796716657,1469659884,1695890704,-288585472,-1372335362,-1146537814,-1407809209,-1075630754,-1820803310,-1849824616,1966170216,180664661,-1511995010,1591532301,-1940371327,-418592189,1161555439,1315828287,49098706,-525206578,2117041079,273098327,1627941585,2124700533,-572806030,949576602,634398429,1264371351,866924288,1341679197,1694079550,1983828738,567875606,-1484297759,1527275871,-1364646861,-1573466828,-1080014991,1012343249,1335684520,-649276907,1658302793,-1474156816,1214868383,1201907641,857984179,31683346,1999395150,1339720921,1417626834,1513908311,-1223968915,361495787,1780617442,-1818172853,1667040347,788311960,73220349,-1137062912,2075918887,93188698,1695600081,1582593852,1576181705,-1382237609,1709327198,782343918,-1193584073,24923209,1458444182,-962466810,1050716195,1637390260,-2034593274,1445701136,170494671,812293615,710259885,851739427,1849315263,-807491794,-1256391320,-1093651234,1342133682,-379211524,1356908205,281627145,-207553296,-1092284185,1815485202,321211332,945394961,-1873539221,-1016130412,1709961372,1169191046,1145740651,-1749451219,1695678455,716859501,949957920,-524392715,1679486616,-237569080,608119481,1902876617,-1176442630,1460562753,1515312461,1074415000,1988314290,-946572708,1692050920,1446797835,1266016976,-1658710625,1798980739,-1739612459,258199643,1241909253,1892203721,244788876,851550058,-517570937,88553272,1226171206,756946594,1803897869,1113432727,664179990,1538649295,1142626635,-1747185553,-1270431994,-354041569,531559610,-1640653078,-1939114306,-1417763383,1531062048,634490990,-1410546120,-470953676,-298869023,-215560568,1547532250,-1064853737,-1526461149,-1607175308,-1533802600,1284236512,-1002242953,-1692720375,-1551735012,-2011892494,-1148447642,-2130154156,-2011073218,-1625232128,1283791680,1310968298,1342562714,1708194365,2081810408,-1032345885,1630287532,1445212157,597118875,870446248,671946906,1220056796,-1304136200,1561356222,-1198962788,1577858991,-885443501,1983408487,-1545574088,351563560,1367388185,95819527,-645489068,-494281047,-969365938,-853994881,-1094413109,-690472912,-1648987807,282125591,744888949,-1992621853,1705633569,358709522,2131942363,404090782,1125010373,1510781129,-2004609144,-1192538388,1862413440,-1992589266,-126972106,-1997615690,-868621008,-1813812470,-2121260554,1224114276,1085033335,1368559752,-1797068371,1879605870,1970891843,-1208081859,-694556886,-442304221,741637545,-1578276530,378273406,1579138919,745637651,-1415792847,1675374602,-1858798259,355788442,1006421007,-1574384812,1943250093,1193253682,1449164816,422171236,78292614,-1577982340,103384195,1728607299,-1932545512,-251945396,1760655535,-1527609974,-1359038463,-129233732,1608469097,-1117996713,1820731915,1880920265,-128117192,1714175627,1426315967,977768005,-1012005898,-544146915,289980767,-1034415095,1376821753,-756910527,-1925761640,765189255,-752502477,1038005716,837512931,1702382165,280770102,-754406172,-1609049976,1775496810,-986935557,-1463860038,1147757907,1655594902,-143081064,1527264558,506095465,-1836627758,-848421976,1332523992,-913017470,-2128211734,-1513725183,-1698704457,-1063090277,2091586580,-1799015060,185745646,-1635296330,1277141777,56181154,182766465,-129156764,497358618,-164052604,2008448134,1183423703,1865174198,1559109896,-762709500,507630856,1126143206,1047193508,1786338034,2128442583,-174962556,-1707577715,2097395069,84975992,513411018,1860114990,269352658,61051724,-1594845873,1882236372,-989619615,1452882265,1713506966,-231310175,-313960616,2039817747,1975253173,276756769,1569612083,-811068288,1821989883,-1528707475,1307829769,1217957592,-1872343841,-2050611591,1617362904,224292114,1654213693,1342427872,21988175,1111134494,-1590244447}');

INSERT INTO public.secrets (name, sealed) VALUES ('digest-key', 'v2.3Uu-F0h2dUhX.ndGmrtsmJ7dRXE-fr30p2ljtyWMfVtbu93kiufrAObrtRwLz9feOLBoik1k4Dm2m2yrQPpMPV8WFL-5JVU0F9y0wirvngIg');

INSERT INTO public.session_clients (session, place, client, sub, sid) VALUES (5, 0, 2, 'sub at short', 'sid at short');
INSERT INTO public.session_clients (session, place, client, sub, sid) VALUES (1, 0, 1, 'sub at with-secret', 'sid at with-secret');
INSERT INTO public.session_clients (session, place, client, sub, sid) VALUES (1, 1, 11, 'sub at rotated', 'sid at rotated');
INSERT INTO public.session_clients (session, place, client, sub, sid) VALUES (1, 2, 12, 'sub at renamed', 'sid at renamed');

INSERT INTO public.tombstones (ordinal, id, until) OVERRIDING SYSTEM VALUE VALUES (1, 'tombstone-2________________________________', 1700000100);
INSERT INTO public.tombstones (ordinal, id, until) OVERRIDING SYSTEM VALUE VALUES (2, 'tombstone-3________________________________', 1700000150);
INSERT INTO public.tombstones (ordinal, id, until) OVERRIDING SYSTEM VALUE VALUES (3, 'tombstone-4________________________________', 1700000200);
INSERT INTO public.tombstones (ordinal, id, until) OVERRIDING SYSTEM VALUE VALUES (4, 'tombstone-1________________________________', 1700000050);

SELECT pg_catalog.setval('public.audit_rows_ordinal_seq', 30, true);

SELECT pg_catalog.setval('public.clients_ordinal_seq', 38, true);

SELECT pg_catalog.setval('public.end_user_sessions_ordinal_seq', 5, true);

SELECT pg_catalog.setval('public.foreign_keys_ordinal_seq', 4, true);

SELECT pg_catalog.setval('public.notifications_ordinal_seq', 6, true);

SELECT pg_catalog.setval('public.provider_events_ordinal_seq', 8, true);

SELECT pg_catalog.setval('public.removed_clients_ordinal_seq', 2, true);

SELECT pg_catalog.setval('public.tombstones_ordinal_seq', 4, true);

ALTER TABLE ONLY public.artefacts
    ADD CONSTRAINT artefacts_pkey PRIMARY KEY (kind, hash);

ALTER TABLE ONLY public.audit_checkpoints
    ADD CONSTRAINT audit_checkpoints_pkey PRIMARY KEY (number);

ALTER TABLE ONLY public.audit_rows
    ADD CONSTRAINT audit_rows_at_mac_key UNIQUE (at, mac);

ALTER TABLE ONLY public.audit_rows
    ADD CONSTRAINT audit_rows_pkey PRIMARY KEY (ordinal);

ALTER TABLE ONLY public.authorizations
    ADD CONSTRAINT authorizations_pkey PRIMARY KEY (kind, hash);

ALTER TABLE ONLY public.budgets
    ADD CONSTRAINT budgets_pkey PRIMARY KEY (kind, source);

ALTER TABLE ONLY public.client_gate
    ADD CONSTRAINT client_gate_pkey PRIMARY KEY (gate);

ALTER TABLE ONLY public.clients
    ADD CONSTRAINT clients_client_id_key UNIQUE (client_id);

ALTER TABLE ONLY public.clients
    ADD CONSTRAINT clients_pkey PRIMARY KEY (ordinal);

ALTER TABLE ONLY public.consents
    ADD CONSTRAINT consents_pkey PRIMARY KEY (client, sub);

ALTER TABLE ONLY public.end_user_sessions
    ADD CONSTRAINT end_user_sessions_cookie_hash_key UNIQUE (cookie_hash);

ALTER TABLE ONLY public.end_user_sessions
    ADD CONSTRAINT end_user_sessions_pkey PRIMARY KEY (ordinal);

ALTER TABLE ONLY public.end_user_sessions
    ADD CONSTRAINT end_user_sessions_sid_key UNIQUE (sid);

ALTER TABLE ONLY public.ending_confirmations
    ADD CONSTRAINT ending_confirmations_pkey PRIMARY KEY (confirmation);

ALTER TABLE ONLY public.foreign_keys
    ADD CONSTRAINT foreign_keys_kid_key UNIQUE (kid);

ALTER TABLE ONLY public.foreign_keys
    ADD CONSTRAINT foreign_keys_pkey PRIMARY KEY (ordinal);

ALTER TABLE ONLY public.initial_access_tokens
    ADD CONSTRAINT initial_access_tokens_pkey PRIMARY KEY (hash);

ALTER TABLE ONLY public.instances
    ADD CONSTRAINT instances_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.key_rings
    ADD CONSTRAINT key_rings_pkey PRIMARY KEY (alg, use);

ALTER TABLE ONLY public.keyed_registrations
    ADD CONSTRAINT keyed_registrations_pkey PRIMARY KEY (key);

ALTER TABLE ONLY public.leases
    ADD CONSTRAINT leases_pkey PRIMARY KEY (name);

ALTER TABLE ONLY public.notifications
    ADD CONSTRAINT notifications_id_key UNIQUE (id);

ALTER TABLE ONLY public.notifications
    ADD CONSTRAINT notifications_pkey PRIMARY KEY (ordinal);

ALTER TABLE ONLY public.observed_days
    ADD CONSTRAINT observed_days_pkey PRIMARY KEY (day);

ALTER TABLE ONLY public.operator_tokens
    ADD CONSTRAINT operator_tokens_pkey PRIMARY KEY (hash);

ALTER TABLE ONLY public.provider_events
    ADD CONSTRAINT provider_events_pkey PRIMARY KEY (transaction);

ALTER TABLE ONLY public.receipts
    ADD CONSTRAINT receipts_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.removed_clients
    ADD CONSTRAINT removed_clients_client_id_key UNIQUE (client_id);

ALTER TABLE ONLY public.removed_clients
    ADD CONSTRAINT removed_clients_pkey PRIMARY KEY (ordinal);

ALTER TABLE ONLY public.schema_version
    ADD CONSTRAINT schema_version_pkey PRIMARY KEY (product);

ALTER TABLE ONLY public.search_blocks
    ADD CONSTRAINT search_blocks_pkey PRIMARY KEY (block);

ALTER TABLE ONLY public.secrets
    ADD CONSTRAINT secrets_pkey PRIMARY KEY (name);

ALTER TABLE ONLY public.session_clients
    ADD CONSTRAINT session_clients_pkey PRIMARY KEY (session, place);

ALTER TABLE ONLY public.tombstones
    ADD CONSTRAINT tombstones_id_key UNIQUE (id);

ALTER TABLE ONLY public.tombstones
    ADD CONSTRAINT tombstones_pkey PRIMARY KEY (ordinal);

CREATE INDEX artefacts_by_client ON public.artefacts USING btree (client, sub) WHERE (client IS NOT NULL);

CREATE INDEX artefacts_by_end ON public.artefacts USING btree (removable_from);

CREATE INDEX artefacts_by_grant ON public.artefacts USING btree (grant_hash) WHERE (grant_hash IS NOT NULL);

CREATE INDEX artefacts_by_name ON public.artefacts USING btree (kind, name, expires_at DESC, hash) WHERE (name IS NOT NULL);

CREATE INDEX artefacts_by_session ON public.artefacts USING btree (session) WHERE (session IS NOT NULL);

CREATE INDEX audit_rows_actor ON public.audit_rows USING btree (actor, ((at + 0)), ordinal) WHERE (checkpoint IS NOT NULL);

CREATE INDEX audit_rows_actor_name ON public.audit_rows USING btree (actor_name, ((at + 0)), ordinal) WHERE ((actor_name IS NOT NULL) AND (checkpoint IS NOT NULL));

CREATE INDEX audit_rows_checkpoint ON public.audit_rows USING btree (checkpoint, ordinal);

CREATE INDEX audit_rows_client ON public.audit_rows USING btree (client_id, ((at + 0)), ordinal) WHERE ((client_id IS NOT NULL) AND (checkpoint IS NOT NULL));

CREATE INDEX authorizations_by_client ON public.authorizations USING btree (client);

CREATE INDEX authorizations_by_expiry ON public.authorizations USING btree (expires_at) WHERE (expires_at > 0);

CREATE INDEX authorizations_by_session ON public.authorizations USING btree (session) WHERE (session IS NOT NULL);

CREATE INDEX authorizations_held ON public.authorizations USING btree (held_by) WHERE (held_by IS NOT NULL);

CREATE INDEX budgets_by_time ON public.budgets USING btree (kind, whole_at) WHERE (source <> ''::text);

CREATE INDEX clients_by_preceding_token ON public.clients USING btree (preceding_token_hash) WHERE (preceding_token_hash IS NOT NULL);

CREATE INDEX clients_by_statement_issuer ON public.clients USING btree (statement_issuer, ordinal) WHERE (statement_issuer IS NOT NULL);

CREATE INDEX clients_by_token ON public.clients USING btree (registration_access_token_hash);

CREATE INDEX clients_by_token_fingerprint ON public.clients USING btree (token_fingerprint, ordinal) WHERE (token_fingerprint IS NOT NULL);

CREATE INDEX clients_filtered ON public.clients USING btree (ordinal, registered_by, client_id_issued_at, used_at, suspended_at, imported, statement_issuer, unused_open);

CREATE INDEX clients_noticed ON public.clients USING btree (COALESCE(notice, (1000000)::bigint)) WHERE ((unused_open = 2) AND (suspended_at IS NULL) AND (registered_by = 'nobody'::text) AND (imported = 0));

CREATE INDEX clients_parked ON public.clients USING btree (COALESCE(waits_since, client_id_issued_at), ordinal, parked_at, notice) WHERE ((unused_open = 2) AND (suspended_at IS NULL) AND (registered_by = 'nobody'::text) AND (imported = 0));

CREATE UNIQUE INDEX clients_repeated ON public.clients USING btree (fingerprint) WHERE ((fingerprint IS NOT NULL) AND (unused_open = 1));

CREATE INDEX clients_suspended ON public.clients USING btree (ordinal) WHERE (suspended_at IS NOT NULL);

CREATE INDEX clients_unindexed ON public.clients USING btree (((ordinal + 0))) WHERE (indexed_version IS DISTINCT FROM version);

CREATE INDEX clients_unused_open ON public.clients USING btree (COALESCE(waits_since, client_id_issued_at), ordinal) WHERE (unused_open = 1);

CREATE INDEX consents_by_sub ON public.consents USING btree (sub, given_at, client);

CREATE INDEX end_user_sessions_by_end ON public.end_user_sessions USING btree (over_at);

CREATE INDEX end_user_sessions_by_sub ON public.end_user_sessions USING btree (sub, auth_time, ordinal);

CREATE INDEX ending_confirmations_by_end ON public.ending_confirmations USING btree (remembered_until);

CREATE INDEX initial_access_tokens_by_expiry ON public.initial_access_tokens USING btree (expires_at, hash);

CREATE INDEX initial_access_tokens_by_owner ON public.initial_access_tokens USING btree (owner) WHERE (owner IS NOT NULL);

CREATE INDEX keyed_registrations_by_client ON public.keyed_registrations USING btree (client);

CREATE INDEX keyed_registrations_by_end ON public.keyed_registrations USING btree (expires_at);

CREATE INDEX notifications_by_client ON public.notifications USING btree (client, ordinal);

CREATE INDEX notifications_by_creation ON public.notifications USING btree (created_at, ordinal);

CREATE INDEX notifications_by_receiver ON public.notifications USING btree (receiver);

CREATE INDEX notifications_due ON public.notifications USING btree (due_at, ordinal) WHERE (failed = 0);

CREATE INDEX operator_tokens_by_expiry ON public.operator_tokens USING btree (expires_at, hash);

CREATE INDEX provider_events_by_ordinal ON public.provider_events USING btree (ordinal);

CREATE INDEX receipts_by_time ON public.receipts USING btree (written_at);

CREATE INDEX removed_clients_by_end ON public.removed_clients USING btree (removed_at);

CREATE INDEX search_blocks_by_token ON public.search_blocks USING gin (tokens) WITH (fastupdate=off);

CREATE INDEX session_clients_by_client ON public.session_clients USING btree (client);

ALTER TABLE ONLY public.artefacts
    ADD CONSTRAINT artefacts_client_fkey FOREIGN KEY (client) REFERENCES public.clients(ordinal) ON DELETE CASCADE;

ALTER TABLE ONLY public.artefacts
    ADD CONSTRAINT artefacts_session_fkey FOREIGN KEY (session) REFERENCES public.end_user_sessions(sid) ON DELETE CASCADE;

ALTER TABLE ONLY public.authorizations
    ADD CONSTRAINT authorizations_client_fkey FOREIGN KEY (client) REFERENCES public.clients(ordinal) ON DELETE CASCADE;

ALTER TABLE ONLY public.authorizations
    ADD CONSTRAINT authorizations_held_by FOREIGN KEY (held_by) REFERENCES public.end_user_sessions(sid) ON DELETE CASCADE;

ALTER TABLE ONLY public.consents
    ADD CONSTRAINT consents_client_fkey FOREIGN KEY (client) REFERENCES public.clients(ordinal) ON DELETE CASCADE;

ALTER TABLE ONLY public.initial_access_tokens
    ADD CONSTRAINT initial_access_tokens_owner_fkey FOREIGN KEY (owner) REFERENCES public.clients(ordinal) ON DELETE CASCADE;

ALTER TABLE ONLY public.keyed_registrations
    ADD CONSTRAINT keyed_registrations_client_fkey FOREIGN KEY (client) REFERENCES public.clients(ordinal) ON DELETE CASCADE;

ALTER TABLE ONLY public.notifications
    ADD CONSTRAINT notifications_client_fkey FOREIGN KEY (client) REFERENCES public.clients(ordinal) ON DELETE CASCADE;

ALTER TABLE ONLY public.session_clients
    ADD CONSTRAINT session_clients_client_fkey FOREIGN KEY (client) REFERENCES public.clients(ordinal) ON DELETE CASCADE;

ALTER TABLE ONLY public.session_clients
    ADD CONSTRAINT session_clients_session_fkey FOREIGN KEY (session) REFERENCES public.end_user_sessions(ordinal) ON DELETE CASCADE;

