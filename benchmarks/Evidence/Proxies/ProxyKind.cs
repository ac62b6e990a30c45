namespace Evidence.Proxies;

/// <summary>Programs of Debian that pass TCP connections on.</summary>
internal enum ProxyKind
{
    /// <summary>HAProxy in TCP mode: <c>apt-get install haproxy</c>.</summary>
    HAProxy,

    /// <summary>nginx with its stream module: <c>apt-get install nginx libnginx-mod-stream</c>.</summary>
    Nginx,
}
