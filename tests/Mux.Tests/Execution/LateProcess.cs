using System.Diagnostics;
using Mux.TestSupport.Transports;

namespace Mux.Tests.Execution;

/// <summary>A process whose server starts when the .NET thread pool is full of blocked work.</summary>
internal sealed class LateProcess : IAsyncDisposable
{
    private readonly Process _process;

    private LateProcess(Process process, string address) => (_process, Address) = (process, address);

    public string Address { get; }

    public static async Task<LateProcess> StartAsync()
    {
        var program = Path.Combine(AppContext.BaseDirectory, "Mux.Tests.Server");
        var process = Process.Start(new ProcessStartInfo(program, ["late"]) { RedirectStandardInput = true, RedirectStandardOutput = true })!;
        var line = await process.StandardOutput.ReadLineAsync().Within("the address of a process");
        return new LateProcess(process, line ?? throw new InvalidOperationException("The process ended without listening."));
    }

    /// <summary>Has the process call its own server over a new connection.</summary>
    public async Task<string?> CallItselfAsync()
    {
        await _process.StandardInput.WriteLineAsync("call");
        return await _process.StandardOutput.ReadLineAsync().Within("the reply of a process to itself");
    }

    public async ValueTask DisposeAsync()
    {
        _process.StandardInput.Close();
        await _process.WaitForExitAsync().Within("the end of a process");
        _process.Dispose();
    }
}
