using System.Diagnostics;
using System.Globalization;

namespace BlockingFront.Load;

/// <summary>A back or a front in a process of its own. It ends with its standard input, so also with this process.</summary>
internal sealed class StackProcess : IDisposable
{
    private readonly Process _process;

    private StackProcess(Process process)
    {
        _process = process;
        Port = int.Parse(process.StandardOutput.ReadLine() ?? throw new InvalidOperationException("The process ended before it listened."), CultureInfo.InvariantCulture);
    }

    public int Port { get; }

    /// <summary>Its threads now.</summary>
    public int Threads
    {
        get
        {
            _process.Refresh();
            return _process.Threads.Count;
        }
    }

    /// <summary>Seconds of processor time so far.</summary>
    public double ProcessorSeconds
    {
        get
        {
            _process.Refresh();
            return _process.TotalProcessorTime.TotalSeconds;
        }
    }

    public static StackProcess Start(params string[] arguments) =>
        new(Process.Start(new ProcessStartInfo("dotnet", [Environment.GetCommandLineArgs()[0], .. arguments]) { RedirectStandardInput = true, RedirectStandardOutput = true })!);

    public void Dispose()
    {
        _process.StandardInput.Close();
        if (!_process.WaitForExit(5_000)) _process.Kill(); // frozen: it is this program's own
        _process.WaitForExit();
        _process.Dispose();
    }
}
