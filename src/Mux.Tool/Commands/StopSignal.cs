using System.Runtime.InteropServices;

namespace Mux.Tool.Commands;

/// <summary>
/// When a server is to stop. Alone it stops at Ctrl-C and SIGTERM. With an owner it stops at SIGTERM and when its standard input ends, which happens however
/// the owner ends; Ctrl-C reaches it too, because they share a terminal, but then the owner decides.
/// </summary>
internal sealed class StopSignal : IDisposable
{
    private readonly TaskCompletionSource _requested = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly PosixSignalRegistration _interrupt;
    private readonly PosixSignalRegistration _terminate;

    public StopSignal(bool hasOwner)
    {
        _interrupt = PosixSignalRegistration.Create(PosixSignal.SIGINT, context => OnSignal(context, stops: !hasOwner));
        _terminate = PosixSignalRegistration.Create(PosixSignal.SIGTERM, context => OnSignal(context, stops: true));
        if (!hasOwner) return;

        // On a thread of its own: a console stream has no asynchronous reads, and the pool's threads are the server's.
        new Thread(AwaitEndOfInput) { IsBackground = true, Name = "end of input" }.Start();
    }

    /// <summary>Completes when it is time.</summary>
    public Task Requested => _requested.Task;

    public void Dispose()
    {
        _interrupt.Dispose();
        _terminate.Dispose();
    }

    private void OnSignal(PosixSignalContext context, bool stops)
    {
        // The second signal is left to the system: it ends a server that waits for open calls.
        context.Cancel = !stops || _requested.TrySetResult();
    }

    private void AwaitEndOfInput()
    {
        using var input = Console.OpenStandardInput();
        Span<byte> ignored = stackalloc byte[256];
        while (input.Read(ignored) > 0)
        {
            // What the owner writes has no meaning.
        }

        _requested.TrySetResult();
    }
}
