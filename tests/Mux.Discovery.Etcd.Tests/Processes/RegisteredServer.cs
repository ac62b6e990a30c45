using System.Diagnostics;
using Mux.TestSupport.Transports;

namespace Mux.Discovery.Etcd.Tests.Processes;

/// <summary>A host with a server that is registered in etcd with a lease of 3 s, in a process of its own.</summary>
internal sealed class RegisteredServer : IAsyncDisposable
{
    private readonly Process _process;

    private RegisteredServer(Process process, string address)
    {
        _process = process;
        Address = address;
    }

    public int Id => _process.Id;

    /// <summary>Where it listens.</summary>
    public string Address { get; }

    public static async Task<RegisteredServer> StartAsync(string target)
    {
        var program = Path.Combine(AppContext.BaseDirectory, "Mux.Tests.Server");
        var process = Process.Start(new ProcessStartInfo(program, ["registered", target]) { RedirectStandardInput = true, RedirectStandardOutput = true })!;
        var line = await process.StandardOutput.ReadLineAsync().Within("the address of a process");
        return new RegisteredServer(process, line ?? throw new InvalidOperationException("The process ended without listening."));
    }

    public async Task EndAsync(int signal)
    {
        Signals.Send(Id, signal);
        await _process.WaitForExitAsync().Within("the end of a process");
    }

    public async ValueTask DisposeAsync()
    {
        if (!_process.HasExited) await EndAsync(Signals.Kill);
        _process.Dispose();
    }
}
