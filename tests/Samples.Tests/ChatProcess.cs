using System.Diagnostics;
using Mux.Redis.Tests.Processes;
using Mux.TestSupport.Transports;

namespace Samples.Tests;

/// <summary>A server of samples/11-chat in a process of its own. It ends with its standard input, so also if the tests are killed.</summary>
internal sealed class ChatProcess : IAsyncDisposable
{
    private readonly Process _process;

    private ChatProcess(Process process, string address) => (_process, Address) = (process, address);

    public string Address { get; }

    public static async Task<ChatProcess> StartAsync(RedisProcess redis)
    {
        var start = new ProcessStartInfo(Path.Combine(AppContext.BaseDirectory, "Chat"), ["server", "mux://127.0.0.1:0", "--redis", redis.Address])
        {
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
        };
        var process = Process.Start(start)!;
        string? line = await process.StandardOutput.ReadLineAsync().Within("the address of a server");
        return new ChatProcess(process, line?.Split(';')[0] ?? throw new InvalidOperationException("The server ended without listening."));
    }

    public async ValueTask DisposeAsync()
    {
        _process.StandardInput.Close();
        await _process.WaitForExitAsync().Within("the end of a server");
        _process.Dispose();
    }
}
