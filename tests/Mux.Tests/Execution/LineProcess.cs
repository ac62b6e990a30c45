using System.Diagnostics;
using Mux.TestSupport.Transports;

namespace Mux.Tests.Execution;

/// <summary>A process of Mux.Tests.Server that reports by lines, and ends with its standard input.</summary>
internal sealed class LineProcess : IAsyncDisposable
{
    private readonly Process _process;

    /// <param name="arguments">What the process does: see its program.</param>
    public LineProcess(params string[] arguments)
        : this([], arguments)
    {
    }

    /// <param name="environment">Variables of the environment of the process, such as settings of the runtime.</param>
    /// <param name="arguments">What the process does: see its program.</param>
    public LineProcess(IEnumerable<KeyValuePair<string, string>> environment, params string[] arguments)
    {
        var program = Path.Combine(AppContext.BaseDirectory, "Mux.Tests.Server");
        var start = new ProcessStartInfo(program, arguments) { RedirectStandardInput = true, RedirectStandardOutput = true };
        foreach (var (name, value) in environment) start.Environment[name] = value;
        _process = Process.Start(start)!;
    }

    /// <summary>The next line that the process writes within the time limit of tests; null if it has ended.</summary>
    public async Task<string?> NextLineAsync(string what) => await _process.StandardOutput.ReadLineAsync().Within(what);

    /// <summary>Writes a line that the process reads.</summary>
    public Task WriteLineAsync(string line) => _process.StandardInput.WriteLineAsync(line);

    public async ValueTask DisposeAsync()
    {
        _process.StandardInput.Close();
        try
        {
            await _process.WaitForExitAsync().Within("the end of a process");
        }
        finally
        {
            if (!_process.HasExited) _process.Kill(); // it would keep the output of the tests open
            _process.Dispose();
        }
    }
}
