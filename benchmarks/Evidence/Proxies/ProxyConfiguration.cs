namespace Evidence.Proxies;

/// <summary>What the proxies are told: TCP, servers in turns, the next one if a server refuses, and a limit of silence.</summary>
internal static class ProxyConfiguration
{
    private const string StreamModule = "/usr/lib/nginx/modules/ngx_stream_module.so";

    public static string ProgramOf(ProxyKind kind) => kind == ProxyKind.HAProxy ? "/usr/sbin/haproxy" : "/usr/sbin/nginx";

    public static bool IsInstalled(ProxyKind kind) => File.Exists(ProgramOf(kind)) && (kind == ProxyKind.HAProxy || File.Exists(StreamModule));

    public static string[] ArgumentsOf(ProxyKind kind, string file) => kind == ProxyKind.HAProxy ? ["-db", "-q", "-f", file] : ["-e", "/dev/null", "-c", file, "-g", "daemon off;"];

    public static string Of(ProxyKind kind, int port, IEnumerable<int> servers, int idleMilliseconds, string folder) =>
        kind == ProxyKind.HAProxy ? HAProxy(port, [.. servers], idleMilliseconds) : Nginx(port, [.. servers], idleMilliseconds, folder);

    private static string HAProxy(int port, List<int> servers, int idle) => $"""
        defaults
            mode tcp
            timeout connect 1s
            timeout client {idle}ms
            timeout server {idle}ms
            retries 3
            option redispatch 1
        listen mux
            bind 127.0.0.1:{port}
            balance roundrobin
        {string.Join('\n', servers.Select((server, index) => $"    server s{index} 127.0.0.1:{server}"))}

        """;

    private static string Nginx(int port, List<int> servers, int idle, string folder) => $$"""
        load_module {{StreamModule}};
        worker_processes 1;
        pid {{folder}}/nginx.pid;
        events { worker_connections 1024; }
        stream {
            upstream mux {
        {{string.Join('\n', servers.Select(server => $"        server 127.0.0.1:{server} max_fails=0;"))}}
            }
            server {
                listen 127.0.0.1:{{port}};
                proxy_pass mux;
                proxy_connect_timeout 1s;
                proxy_timeout {{idle}}ms;
            }
        }

        """;
}
