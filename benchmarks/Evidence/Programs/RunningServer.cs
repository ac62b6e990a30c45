using System.Diagnostics;

namespace Evidence.Programs;

/// <summary>A server process. It ends when its standard input does, so also when this process is killed.</summary>
internal sealed class RunningServer : IDisposable
{
    private readonly Process _process;

    private RunningServer(Process process)
    {
        _process = process;
        var line = process.StandardOutput.ReadLine() ?? throw new EvidenceException("The server process ended before it listened.");
        Port = MuxAddress.Parse(line).Port;
    }

    public int Port { get; }

    public int ProcessId => _process.Id;

    /// <summary>With what it ended, 128 and the number of a signal if one ended it; null while it runs.</summary>
    public int? ExitCode => _process.HasExited ? _process.ExitCode : null;

    /// <summary>Its address on loopback; it listens on all of 127.0.0.0/8.</summary>
    /// <param name="host">The last byte. Each gives clients some 28,000 ports of their own, which closed connections keep for a minute.</param>
    public string AddressOf(int host = 1) => $"mux://127.0.0.{host}:{Port}";

    /// <param name="program">Prints its address when it listens.</param>
    /// <param name="arguments">Of its command line.</param>
    public static RunningServer Start(BuiltProgram program, IEnumerable<string> arguments) => new(program.Start(arguments));

    /// <summary>Starts one with variables of its environment, in decimal or with 0x, as .NET reads them.</summary>
    public static RunningServer Start(BuiltProgram program, IEnumerable<string> arguments, params IReadOnlyList<(string Name, string Value)> variables)
    {
        foreach (var (name, value) in variables) Environment.SetEnvironmentVariable(name, value);
        try
        {
            return Start(program, arguments);
        }
        finally
        {
            foreach (var (name, _) in variables) Environment.SetEnvironmentVariable(name, null);
        }
    }

    /// <summary>The variable that limits the heap of a process.</summary>
    public static (string Name, string Value) HeapOf(int megabytes) => ("DOTNET_GCHeapHardLimit", $"0x{(long)megabytes << 20:X}");

    public void Dispose()
    {
        _process.StandardInput.Close();
        _process.WaitForExit();
        _process.Dispose();
    }
}
