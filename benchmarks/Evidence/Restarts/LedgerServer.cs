using Evidence.Programs;

namespace Evidence.Restarts;

/// <summary>A server process that logs which calls it executes.</summary>
internal sealed class LedgerServer(string log) : RestartedServer(port => ["serve-ledger", $"{port}", log])
{
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
