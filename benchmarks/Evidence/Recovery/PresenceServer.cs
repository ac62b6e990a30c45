using System.Diagnostics;
using Evidence.Programs;

namespace Evidence.Recovery;

/// <summary>A server process that is started early, listens when it is told to, and is killed: how long it is away has nothing to do with how long a process takes to start.</summary>
internal sealed class PresenceServer : IDisposable
{
    private const string Ready = "ready";

    private readonly Process _process;

    private PresenceServer(Process process) => _process = process;

    /// <summary>A process that does not listen yet.</summary>
    /// <param name="port">Where it will; 0 for any.</param>
    public static PresenceServer Prepare(int port)
    {
        var server = new PresenceServer(BuiltProgram.Self.Start(["serve-presence", $"{port}"]));
        return server.Read() == Ready ? server : throw new EvidenceException("The server process did not start.");
    }

    /// <returns>The port at which it listens now.</returns>
    public int Listen()
    {
        _process.StandardInput.WriteLine();
        return MuxAddress.Parse(Read()).Port;
    }

    /// <summary>Kills it: its connections are gone without a word.</summary>
    public void Dispose()
    {
        _process.Kill();
        _process.WaitForExit();
        _process.Dispose();
    }

    /// <summary>What runs in it.</summary>
    public static void Serve(string port)
    {
        Console.WriteLine(Ready);
        if (Console.In.ReadLine() is null) return;
        var server = new MuxServer($"mux://127.0.0.1:{port}").AddService<IPresence>(new Presence());
        server.Start();
        Console.WriteLine(server.Address);
        Console.In.ReadToEnd();

        Environment.Exit(0);
    }

    private string Read() => _process.StandardOutput.ReadLine() ?? throw new EvidenceException("The server process ended.");

    private sealed class Presence : IPresence
    {
        public ValueTask<int> Echo(int number) => new(number);
    }
}
