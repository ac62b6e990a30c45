using System.Diagnostics;
using Evidence.Programs;

namespace Evidence.Restarts;

/// <summary>A server process that is stopped or killed, and started again at its port.</summary>
internal sealed class LedgerServer : IDisposable
{
    private readonly string _log;
    private Process? _process;

    public LedgerServer(string log)
    {
        _log = log;
        Start();
    }

    public int Port { get; private set; }

    public void Start()
    {
        _process = BuiltProgram.Self.Start(["serve-ledger", $"{Port}", _log]);
        var line = _process.StandardOutput.ReadLine() ?? throw new EvidenceException("The server process ended before it listened.");
        Port = MuxAddress.Parse(line).Port;
    }

    /// <summary>Stops it as a deployment does: open calls finish.</summary>
    public async Task StopAsync()
    {
        _process!.StandardInput.Close();
        await _process.WaitForExitAsync();
        _process.Dispose();
        _process = null;
    }

    /// <summary>Kills it: its peers get no farewell.</summary>
    public async Task KillAsync()
    {
        _process!.Kill();
        await _process.WaitForExitAsync();
        _process.Dispose();
        _process = null;
    }

    public void Dispose()
    {
        if (_process is null) return;
        _process.Kill();
        _process.Dispose();
    }

    /// <summary>What runs in it.</summary>
    public static async Task ServeAsync(string port, string log)
    {
        using var executions = new ExecutionLog(log);
        await using var server = new MuxServer($"mux://127.0.0.1:{port}").AddService<ILedger>(new Ledger(executions));
        server.Start();
        Console.WriteLine(server.Address);
        await Console.In.ReadToEndAsync();
    }

    private sealed class Ledger(ExecutionLog log) : ILedger
    {
        public ValueTask<int> Enter(int number)
        {
            log.Note(number);
            return new(number);
        }
    }
}
