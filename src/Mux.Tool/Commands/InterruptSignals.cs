using System.Runtime.InteropServices;

namespace Mux.Tool.Commands;

/// <summary>Turns the first Ctrl-C or SIGTERM into a cancellation; the second one ends the process.</summary>
internal sealed class InterruptSignals : IDisposable
{
    private readonly CancellationTokenSource _interrupt;
    private readonly PosixSignalRegistration[] _registrations;

    public InterruptSignals(CancellationTokenSource interrupt)
    {
        _interrupt = interrupt;
        _registrations = [PosixSignalRegistration.Create(PosixSignal.SIGINT, OnSignal), PosixSignalRegistration.Create(PosixSignal.SIGTERM, OnSignal)];
    }

    public void Dispose()
    {
        foreach (var registration in _registrations) registration.Dispose();
    }

    private void OnSignal(PosixSignalContext context)
    {
        if (_interrupt.IsCancellationRequested) return;
        context.Cancel = true;
        _interrupt.Cancel();
    }
}
