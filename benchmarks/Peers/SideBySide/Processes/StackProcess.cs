using System.Diagnostics;
using SideBySide.Stacks;

namespace SideBySide.Processes;

/// <summary>Another process of this program. It ends with its standard input, so also with this process.</summary>
internal sealed class StackProcess : IDisposable
{
    // Longer than any run needs to end its last streams.
    private static readonly TimeSpan s_patience = TimeSpan.FromSeconds(30);

    // Arrays of a size that the shared pool keeps for a CPU. The default of 32 is less than there are calls in flight on a machine with few CPUs: grpc-dotnet then
    // allocates 38 KB for a call instead of 6.
    private const string PooledArrays = "1024";

    private readonly Process _process;
    private readonly string _what;

    private StackProcess(Process process, string what) => (_process, _what) = (process, what);

    /// <summary>A process with the garbage collector of servers, as projects of the Web SDK have it.</summary>
    /// <inheritdoc cref="Start"/>
    public static StackProcess StartServer(Stack stack, params string[] arguments) => Start(stack, hasServerGc: true, arguments);

    /// <summary>A process with the garbage collector of servers, or that of console programs if the stack is to be as templates have it.</summary>
    /// <inheritdoc cref="Start"/>
    public static StackProcess StartClient(Stack stack, params string[] arguments) => Start(stack, hasServerGc: !stack.IsStock, arguments);

    /// <param name="stack">What runs in it.</param>
    /// <param name="hasServerGc">The garbage collector.</param>
    /// <param name="arguments">Of the command line.</param>
    private static StackProcess Start(Stack stack, bool hasServerGc, string[] arguments)
    {
        var start = new ProcessStartInfo("dotnet", [typeof(StackProcess).Assembly.Location, .. arguments]) { RedirectStandardInput = true, RedirectStandardOutput = true };
        start.Environment["DOTNET_gcServer"] = hasServerGc ? "1" : "0";
        if (!stack.IsStock) start.Environment["DOTNET_SYSTEM_BUFFERS_SHAREDARRAYPOOL_MAXARRAYSPERPARTITION"] = PooledArrays;
        return new StackProcess(Process.Start(start)!, string.Join(' ', arguments));
    }

    /// <summary>The next line that it writes.</summary>
    /// <param name="within">How long that may take; null as long as it does.</param>
    /// <exception cref="PeersException">It has ended, or takes longer.</exception>
    public string ReadLine(TimeSpan? within = null)
    {
        var reading = Task.Run(_process.StandardOutput.ReadLine);
        if (!reading.Wait(within ?? s_patience)) throw new PeersException($"The process '{_what}' did not answer in time.");
        return reading.Result ?? throw new PeersException($"The process '{_what}' ended before it answered.");
    }

    /// <summary>Asks for its next line.</summary>
    public string Ask(string question)
    {
        _process.StandardInput.WriteLine(question);
        return _process.StandardOutput.ReadLine() ?? throw new PeersException($"The process '{_what}' ended before it answered.");
    }

    public void Dispose()
    {
        try
        {
            _process.StandardInput.Close();
        }
        catch (IOException)
        {
            // It has ended.
        }

        if (!_process.WaitForExit(s_patience)) _process.Kill(); // frozen: it is this program's own
        _process.WaitForExit();
        _process.Dispose();
    }
}
