using System.Diagnostics;
using System.Globalization;
using System.Net;
using System.Net.Sockets;

namespace Evidence.Outages;

/// <summary>A member of etcd on free ports of loopback. It ends with this process: a shell ends it when its own standard input ends.</summary>
internal sealed class EtcdMember : IDisposable
{
    private const string Script = """
        etcd "$@" >/dev/null 2>&1 &
        read -r end
        kill -9 $!
        """;

    private readonly string _folder = Path.Combine(Path.GetTempPath(), $"mux-etcd-{Guid.NewGuid():N}");
    private readonly Process _shell;
    private readonly string _place;

    private EtcdMember()
    {
        _place = $"127.0.0.1:{FreePort().ToString(CultureInfo.InvariantCulture)}";
        var peers = $"http://127.0.0.1:{FreePort().ToString(CultureInfo.InvariantCulture)}";
        _shell = Process.Start(new ProcessStartInfo("sh", ["-c", Script, "etcd", "--data-dir", _folder, "--listen-client-urls", $"http://{_place}",
            "--advertise-client-urls", $"http://{_place}", "--listen-peer-urls", peers, "--initial-advertise-peer-urls", peers, "--initial-cluster", $"default={peers}"])
        {
            RedirectStandardInput = true,
        }) ?? throw new EvidenceException("sh did not start.");
    }

    /// <summary>True if this machine has etcd.</summary>
    public static bool IsInstalled => Environment.GetEnvironmentVariable("PATH")!.Split(':').Any(static folder => File.Exists(Path.Combine(folder, "etcd")));

    /// <summary>The address that servers and clients are given.</summary>
    public string Target => $"mux+etcd://{_place}/fleet";

    /// <summary>Starts it, and waits until it serves.</summary>
    public static async Task<EtcdMember> StartAsync()
    {
        var member = new EtcdMember();
        using var client = new HttpClient();
        for (long begun = Stopwatch.GetTimestamp(); Stopwatch.GetElapsedTime(begun) < TimeSpan.FromSeconds(30); await Task.Delay(100))
        {
            try
            {
                if ((await client.GetStringAsync(new Uri($"http://{member._place}/health"))).Contains("true", StringComparison.Ordinal)) return member;
            }
            catch (HttpRequestException)
            {
                // It does not serve yet.
            }
        }

        member.Dispose();
        throw new EvidenceException("etcd does not serve after 30 s.");
    }

    public void Dispose()
    {
        _shell.StandardInput.Close();
        _shell.WaitForExit();
        _shell.Dispose();
        if (Directory.Exists(_folder)) Directory.Delete(_folder, recursive: true);
    }

    private static int FreePort()
    {
        using var listener = new TcpListener(IPAddress.Loopback, 0);
        listener.Start();
        return ((IPEndPoint)listener.LocalEndpoint).Port;
    }
}
