using System.Runtime.InteropServices;

namespace Mux.Tool.Commands;

/// <summary>
/// Turns the first Ctrl-C or SIGTERM, or the end of the last reader of the output, into a cancellation; a second signal
/// ends the process.
/// </summary>
internal sealed class InterruptSignals : IDisposable
{
    private readonly CancellationTokenSource _interrupt;
    private readonly PosixSignalRegistration[] _registrations;
    private readonly CancellationTokenRegistration _closing;

    public InterruptSignals(CancellationTokenSource interrupt)
    {
        _interrupt = interrupt;
        _registrations =
        [
            PosixSignalRegistration.Create(PosixSignal.SIGINT, OnSignal),
            PosixSignalRegistration.Create(PosixSignal.SIGTERM, OnSignal),
        ];
        _closing = ClosedOutput.Token.UnsafeRegister(
            static interrupt => ((CancellationTokenSource)interrupt!).Cancel(), interrupt);
    }

    public void Dispose()
    {
        _closing.Dispose();
        foreach (var registration in _registrations) registration.Dispose();
    }

    private void OnSignal(PosixSignalContext context)
    {
        if (_interrupt.IsCancellationRequested) return;
        context.Cancel = true;
        _interrupt.Cancel();
    }
}
