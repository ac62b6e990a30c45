using System.Diagnostics;

namespace Seeds.Serving;

/// <summary>This program once more, as the server. It ends when its standard input does, so also when this process is killed.</summary>
internal sealed class ServerProcess : IDisposable
{
    private readonly Process _process;

    private ServerProcess(Process process)
    {
        _process = process;
        Address = process.StandardOutput.ReadLine() ?? throw new InvalidOperationException("The server process ended before it listened.");
    }

    public string Address { get; }

    public static ServerProcess Start(bool isMerging = true)
    {
        string[] program = Path.GetFileNameWithoutExtension(Environment.ProcessPath) == "dotnet" ? [typeof(ServerProcess).Assembly.Location] : [];
        string[] mode = isMerging ? [] : ["unmerged"];
        var start = new ProcessStartInfo(Environment.ProcessPath!, [.. program, "serve", .. mode]) { RedirectStandardInput = true, RedirectStandardOutput = true };
        return new ServerProcess(Process.Start(start)!);
    }

    public void Dispose()
    {
        _process.StandardInput.Close();
        _process.WaitForExit();
        _process.Dispose();
    }
}
