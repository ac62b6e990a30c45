using System.Diagnostics;
using System.Globalization;
using System.Net;
using System.Net.Sockets;
using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Transports;
using StackExchange.Redis;

namespace Mux.Redis.Tests.Processes;

/// <summary>
/// A Redis on a free port of loopback that keeps nothing, in a temporary folder. It can be killed, paused and started again. Ends with the test: a shell ends it when its own
/// standard input ends, so also if the tests are killed.
/// </summary>
internal sealed class RedisProcess : IAsyncDisposable
{
    // The shell ends with Redis, or ends it.
    private const string Script = """
        redis-server "$@" >>"$MUX_REDIS_LOG" 2>&1 &
        echo $!
        read -r end
        kill -9 $! 2>/dev/null
        wait
        """;

    private readonly string _folder = Path.Combine(Path.GetTempPath(), $"mux-redis-{Guid.NewGuid():N}");
    private readonly int _port;
    private Process? _shell;
    private int _id;

    private RedisProcess()
    {
        Directory.CreateDirectory(_folder);
        using var listener = new TcpListener(IPAddress.Loopback, 0);
        listener.Start();
        _port = ((IPEndPoint)listener.LocalEndpoint).Port;
    }

    /// <summary>Why there is none; null if there is.</summary>
    public static string? WhyNot { get; } = Look();

    public string Address => string.Create(CultureInfo.InvariantCulture, $"127.0.0.1:{_port}");

    /// <summary>Starts one, and waits until it serves. Skips the test if Redis is not installed.</summary>
    public static async Task<RedisProcess> StartAsync()
    {
        Assert.SkipWhen(WhyNot is not null, WhyNot ?? "");
        var redis = new RedisProcess();
        await redis.LaunchAsync();
        return redis;
    }

    /// <summary>A port at which nothing listens, until <see cref="LaunchAsync"/>.</summary>
    public static RedisProcess NotStarted()
    {
        Assert.SkipWhen(WhyNot is not null, WhyNot ?? "");
        return new RedisProcess();
    }

    /// <summary>Starts it, and waits until it serves.</summary>
    public async Task LaunchAsync()
    {
        var start = new ProcessStartInfo("sh", ["-c", Script, "redis", "--port", _port.ToString(CultureInfo.InvariantCulture), "--bind", "127.0.0.1", "--dir", _folder,
            "--save", "", "--appendonly", "no", "--daemonize", "no"])
        {
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
        };
        start.Environment["MUX_REDIS_LOG"] = Path.Combine(_folder, "log");
        _shell = Process.Start(start)!;
        string? id = await _shell.StandardOutput.ReadLineAsync().Within("the id of Redis");
        _id = int.Parse(id!, CultureInfo.InvariantCulture);
        await Eventually.Holds(Answers, () => $"Redis to serve; it says: {Tail()}");
    }

    public async Task KillAsync()
    {
        Signals.Send(_id, Signals.Kill);
        _shell!.StandardInput.Close();
        await _shell.WaitForExitAsync().Within("the end of Redis");
        _shell.Dispose();
        _shell = null;
    }

    /// <summary>It does nothing any more, and keeps its connections.</summary>
    public void Pause() => Signals.Send(_id, Signals.Stop);

    public void Continue() => Signals.Send(_id, Signals.Continue);

    /// <summary>A connection of the test.</summary>
    public Task<ConnectionMultiplexer> ConnectAsync() => ConnectionMultiplexer.ConnectAsync($"{Address},allowAdmin=true");

    public async ValueTask DisposeAsync()
    {
        if (_shell is not null) await KillAsync();
        Directory.Delete(_folder, recursive: true);
    }

    private bool Answers()
    {
        try
        {
            using var client = new TcpClient();
            client.Connect(IPAddress.Loopback, _port);
            client.GetStream().Write("PING\r\n"u8);
            return client.GetStream().ReadByte() == '+';
        }
        catch (Exception error) when (error is SocketException or IOException)
        {
            return false;
        }
    }

    private string Tail()
    {
        string log = Path.Combine(_folder, "log");
        return File.Exists(log) ? string.Join('\n', File.ReadLines(log).TakeLast(5)) : "nothing";
    }

    private static string? Look()
    {
        try
        {
            using var process = Process.Start(new ProcessStartInfo("redis-server", ["--version"]) { RedirectStandardOutput = true });
            process!.WaitForExit();
            return null;
        }
        catch (System.ComponentModel.Win32Exception)
        {
            return "Redis is not installed.";
        }
    }
}
