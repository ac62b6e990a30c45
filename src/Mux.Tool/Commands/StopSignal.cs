using System.Runtime.InteropServices;

namespace Mux.Tool.Commands;

/// <summary>
/// Tells a server when to stop. Without an owner, it stops at Ctrl-C and SIGTERM. With an owner, it stops at SIGTERM
/// and when its standard input ends, which happens however the owner ends. Ctrl-C reaches it too, because they share a
/// terminal, but then the owner decides.
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

        // On its own thread: a console stream has no asynchronous reads, and the pool's threads belong to the server.
        new Thread(AwaitEndOfInput) { IsBackground = true, Name = "end of input" }.Start();
    }

    /// <summary>Completes when the server should stop.</summary>
    public Task Requested => _requested.Task;

    /// <summary>Asks it to stop, as a signal does.</summary>
    public void Request() => _requested.TrySetResult();

    public void Dispose()
    {
        _interrupt.Dispose();
        _terminate.Dispose();
    }

    private void OnSignal(PosixSignalContext context, bool stops)
    {
        // The second signal ends the process, if the server still waits for open calls.
        context.Cancel = !stops || _requested.TrySetResult();
    }

    private void AwaitEndOfInput()
    {
        try
        {
            using var input = Console.OpenStandardInput();
            Span<byte> ignored = stackalloc byte[256];
            while (input.Read(ignored) > 0)
            {
                // The input itself has no meaning.
            }
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            // It was closed before this began: there is no owner to wait for.
        }

        _requested.TrySetResult();
    }
}
