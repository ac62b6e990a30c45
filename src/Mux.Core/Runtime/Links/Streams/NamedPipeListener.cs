using System.IO.Pipes;
using Mux.Transports.Streams;

namespace Mux.Runtime;

/// <summary>
/// Accepts at a Windows named pipe. Creates the next waiting instance before it hands over a connected one: without a waiting instance, clients would find no
/// pipe.
/// </summary>
internal sealed class NamedPipeListener : IStreamListener
{
    private readonly Lock _gate = new(); // guards the fields below
    private NamedPipeServerStream? _waiting;
    private bool _isDisposed;

    /// <exception cref="IOException">The listener cannot be created; the message names the address and the reason.</exception>
    public NamedPipeListener(MuxAddress address)
    {
        Address = address;
        try
        {
            _waiting = Create(PipeOptions.FirstPipeInstance);
        }
        catch (UnauthorizedAccessException e) // Windows reports this if the instance is not the first
        {
            throw new IOException($"Cannot listen at {address}: the address is in use.", e);
        }
        catch (IOException e)
        {
            throw new IOException($"Cannot listen at {address}: {e.Message}", e);
        }
    }

    public MuxAddress Address { get; }

    public async ValueTask<StreamConnection> AcceptAsync(CancellationToken cancellationToken)
    {
        var pipe = Renew(null);
        try
        {
            await pipe.WaitForConnectionAsync(cancellationToken).ConfigureAwait(false);
            Renew(pipe);
            return StreamConnection.Over(pipe);
        }
        catch
        {
            // The client may already be gone, and the instance cannot be used again.
            lock (_gate)
            {
                if (_waiting == pipe) _waiting = null;
            }

            await pipe.DisposeAsync().ConfigureAwait(false);
            throw;
        }
    }

    public void Dispose()
    {
        lock (_gate)
        {
            _isDisposed = true;
            _waiting?.Dispose();
            _waiting = null;
        }
    }

    /// <summary>Returns the waiting instance. Creates one if <paramref name="taken"/> is the current one.</summary>
    private NamedPipeServerStream Renew(NamedPipeServerStream? taken)
    {
        lock (_gate)
        {
            ObjectDisposedException.ThrowIf(_isDisposed, this);
            if (_waiting == taken) _waiting = Create(PipeOptions.None);
            return _waiting!;
        }
    }

    private NamedPipeServerStream Create(PipeOptions first) => new(
        Address.Path, PipeDirection.InOut, NamedPipeServerStream.MaxAllowedServerInstances, PipeTransmissionMode.Byte,
            PipeOptions.Asynchronous | PipeOptions.CurrentUserOnly | first);
}
