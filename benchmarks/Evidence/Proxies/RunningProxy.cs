using System.Diagnostics;
using System.Net;
using System.Net.Sockets;

namespace Evidence.Proxies;

/// <summary>A proxy process on loopback, with its configuration in a new folder.</summary>
internal sealed class RunningProxy : IDisposable
{
    private static readonly TimeSpan s_patience = TimeSpan.FromSeconds(10);

    private readonly ProxyKind _kind;
    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("mux-proxy-");
    private readonly string _configuration;
    private Process? _process;

    /// <param name="kind">The program.</param>
    /// <param name="servers">Ports of the servers, which get connections in turns.</param>
    /// <param name="idleMilliseconds">Silence after which it closes a connection.</param>
    public RunningProxy(ProxyKind kind, IEnumerable<int> servers, int idleMilliseconds)
    {
        _kind = kind;
        Port = FreePort();
        _configuration = Path.Combine(_folder.FullName, "proxy.conf");
        File.WriteAllText(_configuration, ProxyConfiguration.Of(kind, Port, servers, idleMilliseconds, _folder.FullName));
        Start();
    }

    public int Port { get; }

    public string Address => $"mux://127.0.0.1:{Port}";

    /// <summary>Starts it again; returns when it listens.</summary>
    public void Start()
    {
        _process = Process.Start(new ProcessStartInfo(ProxyConfiguration.ProgramOf(_kind), ProxyConfiguration.ArgumentsOf(_kind, _configuration)) { RedirectStandardError = true })
            ?? throw new EvidenceException($"{_kind} did not start.");
        long start = Stopwatch.GetTimestamp();
        while (!Listens())
        {
            if (_process.HasExited) throw new EvidenceException($"{_kind} ended: {_process.StandardError.ReadToEnd()}");
            if (Stopwatch.GetElapsedTime(start) > s_patience) throw new EvidenceException($"{_kind} does not listen after {s_patience.TotalSeconds:F0} s.");
            Thread.Sleep(5);
        }

        _ = _process.StandardError.ReadToEndAsync(); // a full pipe would stop it
    }

    /// <summary>Ends it at once, and with it its connections.</summary>
    public void Stop()
    {
        if (_process is not { } process) return;
        _process = null;
        using (var kill = Process.Start("kill", ["-TERM", $"{process.Id}"])) kill.WaitForExit(); // nginx ends its workers by that
        process.WaitForExit();
        process.Dispose();
    }

    public void Dispose()
    {
        Stop();
        _folder.Delete(recursive: true);
    }

    private static int FreePort()
    {
        using var listener = new TcpListener(IPAddress.Loopback, 0);
        listener.Start();
        return ((IPEndPoint)listener.LocalEndpoint).Port;
    }

    private bool Listens()
    {
        try
        {
            using var probe = new TcpClient();
            probe.Connect(IPAddress.Loopback, Port);
            return true;
        }
        catch (SocketException)
        {
            return false;
        }
    }
}
