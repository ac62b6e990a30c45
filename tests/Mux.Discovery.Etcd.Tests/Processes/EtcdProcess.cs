using System.Diagnostics;
using System.Globalization;
using System.Net;
using System.Net.Sockets;
using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Transports;

namespace Mux.Discovery.Etcd.Tests.Processes;

/// <summary>
/// A member of etcd, on free ports of loopback, with data in a temporary folder. It can be killed and started again. Ends with the test: a shell ends it when its own standard
/// input ends, so also if the tests are killed.
/// </summary>
internal sealed class EtcdProcess : IAsyncDisposable
{
    // The shell ends with the member, or ends it.
    private const string Script = """
        etcd "$@" >>"$MUX_ETCD_LOG" 2>&1 &
        echo $!
        read -r end
        kill -9 $! 2>/dev/null
        wait
        """;

    private readonly string _folder;
    private readonly string _name;
    private readonly int _clientPort;
    private readonly int _peerPort;
    private Process? _shell;
    private int _id;

    private EtcdProcess(string name)
    {
        _name = name;
        _folder = Path.Combine(Path.GetTempPath(), $"mux-etcd-{Guid.NewGuid():N}");
        Directory.CreateDirectory(_folder);
        (_clientPort, _peerPort) = FreePorts();
        Api = new EtcdApi(Member);
    }

    /// <summary>Why there is none; null if there is.</summary>
    public static string? WhyNot { get; } = Look();

    /// <summary>Host and port for clients.</summary>
    public string Member => string.Create(CultureInfo.InvariantCulture, $"127.0.0.1:{_clientPort}");

    public EtcdApi Api { get; }

    /// <summary>Starts a cluster of one member.</summary>
    public static async Task<EtcdProcess> StartAsync() => (await StartClusterAsync(1))[0];

    /// <summary>Starts a cluster, and waits until it serves.</summary>
    public static async Task<EtcdProcess[]> StartClusterAsync(int size)
    {
        Assert.SkipWhen(WhyNot is not null, WhyNot ?? "");
        EtcdProcess[] members = [.. Enumerable.Range(1, size).Select(i => new EtcdProcess($"e{i}"))];
        var cluster = string.Join(',', members.Select(member => $"{member._name}=http://127.0.0.1:{member._peerPort}"));
        foreach (var member in members) await member.LaunchAsync("--initial-cluster", cluster);
        foreach (var member in members) await member.ServesAsync();
        return members;
    }

    /// <summary>Kills the member.</summary>
    public async Task KillAsync()
    {
        Signals.Send(_id, Signals.Kill);
        await EndShellAsync();
    }

    /// <summary>Starts it again with its data, and waits until it serves.</summary>
    public async Task RestartAsync()
    {
        await LaunchAsync();
        await ServesAsync();
    }

    /// <summary>Starts it again with its data.</summary>
    public Task LaunchAgainAsync() => LaunchAsync();

    /// <summary>Waits until it has a leader and serves.</summary>
    public Task ServesAsync() => Eventually.Holds(Api.IsHealthy, () => $"{_name} to serve; it says: {Tail()}");

    public async ValueTask DisposeAsync()
    {
        if (_shell is not null) await KillAsync();
        Api.Dispose();
        Directory.Delete(_folder, recursive: true);
    }

    private async Task LaunchAsync(params string[] more)
    {
        var start = new ProcessStartInfo("sh", ["-c", Script, "etcd", "--name", _name, "--data-dir", Path.Combine(_folder, "data"),
            "--listen-client-urls", $"http://{Member}", "--advertise-client-urls", $"http://{Member}",
            "--listen-peer-urls", $"http://127.0.0.1:{_peerPort}", "--initial-advertise-peer-urls", $"http://127.0.0.1:{_peerPort}",
            "--heartbeat-interval", "50", "--election-timeout", "500", "--logger", "zap", .. more])
        {
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
        };
        start.Environment["MUX_ETCD_LOG"] = Path.Combine(_folder, "log");
        _shell = Process.Start(start)!;
        var id = await _shell.StandardOutput.ReadLineAsync().Within("the id of etcd");
        _id = int.Parse(id!, CultureInfo.InvariantCulture);
    }

    private async Task EndShellAsync()
    {
        _shell!.StandardInput.Close();
        await _shell.WaitForExitAsync().Within("the end of etcd");
        _shell.Dispose();
        _shell = null;
    }

    private string Tail()
    {
        var log = Path.Combine(_folder, "log");
        return File.Exists(log) ? string.Join('\n', File.ReadLines(log).TakeLast(5)) : "nothing";
    }

    private static (int Client, int Peer) FreePorts()
    {
        using var client = new TcpListener(IPAddress.Loopback, 0);
        using var peer = new TcpListener(IPAddress.Loopback, 0);
        client.Start();
        peer.Start();
        return (((IPEndPoint)client.LocalEndpoint).Port, ((IPEndPoint)peer.LocalEndpoint).Port);
    }

    private static string? Look()
    {
        try
        {
            using var process = Process.Start(new ProcessStartInfo("etcd", ["--version"]) { RedirectStandardOutput = true });
            process!.WaitForExit();
            return null;
        }
        catch (System.ComponentModel.Win32Exception)
        {
            return "etcd is not installed.";
        }
    }
}
