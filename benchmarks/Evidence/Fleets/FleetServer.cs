using System.Diagnostics;
using System.Globalization;
using Evidence.Programs;

namespace Evidence.Fleets;

/// <summary>A server process that is frozen, stopped, killed, and started again at its port. What runs in it: <see cref="FleetProgram"/>.</summary>
internal sealed class FleetServer : IDisposable
{
    private readonly string[] _options;
    private readonly string[] _within;
    private Process? _process;

    /// <param name="number">What it answers to <see cref="IFleet.Who"/>.</param>
    /// <param name="options">Further ones of <see cref="FleetProgram"/>.</param>
    /// <param name="host">Where it listens.</param>
    /// <param name="within">The program that starts it, with its arguments; none for itself.</param>
    public FleetServer(int number, IEnumerable<string> options, string host = "127.0.0.1", params string[] within)
    {
        (Host, _within) = (host, within);
        _options = ["--number", number.ToString(CultureInfo.InvariantCulture), "--host", host, .. options];
        Start();
    }

    public string Host { get; }

    public int Port { get; private set; }

    public string Address => $"mux://{Host}:{Port}";

    /// <summary>One address for all of them.</summary>
    public static string AddressOf(IEnumerable<FleetServer> servers) => $"mux://{string.Join(',', servers.Select(server => $"{server.Host}:{server.Port}"))}";

    public void Start()
    {
        _process = BuiltProgram.Self.Start(["serve-fleet", "--port", Port.ToString(CultureInfo.InvariantCulture), .. _options], _within);
        Port = MuxAddress.Parse(Read()).Port;
    }

    /// <summary>The number of its open connections; asked over its own pipes, not over the network.</summary>
    public int CountConnections()
    {
        _process!.StandardInput.WriteLine();
        return int.Parse(Read(), CultureInfo.InvariantCulture);
    }

    /// <summary>Takes the processor away from it: its connections stay open.</summary>
    public void Freeze() => Signal("STOP");

    public void Thaw() => Signal("CONT");

    /// <summary>Stops it as a deployment does: open calls finish.</summary>
    public async Task StopAsync()
    {
        _process!.StandardInput.Close();
        await EndAsync(_process);
    }

    /// <summary>Kills it: its peers get no farewell.</summary>
    public async Task KillAsync()
    {
        _process!.Kill();
        await EndAsync(_process);
    }

    public void Dispose()
    {
        if (_process is null) return;
        _process.Kill(); // also if it is frozen
        _process.WaitForExit();
        _process.Dispose();
    }

    private async Task EndAsync(Process process)
    {
        await process.WaitForExitAsync();
        process.Dispose();
        _process = null;
    }

    private string Read() => _process!.StandardOutput.ReadLine() ?? throw new EvidenceException("The server process ended.");

    private void Signal(string name)
    {
        using var kill = Process.Start("kill", [$"-{name}", _process!.Id.ToString(CultureInfo.InvariantCulture)]);
        kill.WaitForExit();
        if (kill.ExitCode != 0) throw new EvidenceException($"kill -{name} of the server process ended with exit code {kill.ExitCode}.");
    }
}
