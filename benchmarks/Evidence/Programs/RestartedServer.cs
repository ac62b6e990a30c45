using System.Diagnostics;
using System.Globalization;

namespace Evidence.Programs;

/// <summary>A server process that is frozen, stopped, killed, and started again at its port. It ends when its standard input does.</summary>
internal abstract class RestartedServer : IDisposable
{
    private readonly Func<int, IEnumerable<string>> _command;
    private readonly string[] _within;
    private Process? _process;

    /// <param name="command">Arguments for a port, 0 at first; the program then prints its address.</param>
    /// <param name="within">The program that starts it, with its arguments; none for itself.</param>
    protected RestartedServer(Func<int, IEnumerable<string>> command, params string[] within)
    {
        (_command, _within) = (command, within);
        Start();
    }

    public int Port { get; private set; }

    public void Start()
    {
        _process = BuiltProgram.Self.Start(_command(Port), _within);
        Port = MuxAddress.Parse(Read()).Port;
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

    /// <summary>Sends it an empty line, and returns the line that it answers.</summary>
    protected string Ask()
    {
        _process!.StandardInput.WriteLine();
        return Read();
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
