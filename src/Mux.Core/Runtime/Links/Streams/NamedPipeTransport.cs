using System.IO.Pipes;
using Microsoft.Extensions.Logging;
using Mux.Runtime;

namespace Mux.Transports.Streams;

/// <summary>
/// Named pipes (<c>mux+pipe://name</c>), for processes of one user on one machine. On Windows it uses the system's pipes, on other systems the Unix domain
/// socket <c>CoreFxPipe_name</c> in the temporary folder, like all named pipes of .NET. The default for such addresses.
/// </summary>
/// <remarks>
/// <para>Only processes of the same user can connect. On Windows and Linux, a client connects only to a server of its own user, so no other user can pose as
/// the server. A pipe has one server. A socket file that a dead server left is replaced.</para>
/// <para>On Windows, both directions of a pipe end together. A client that finds all instances of the pipe in use waits up to 5 s for one.</para>
/// <para>All members may be called concurrently. The transport itself holds nothing and needs no disposal.</para>
/// </remarks>
public sealed class NamedPipeTransport : StreamTransport
{
    // The documentation of CreateNamedPipe has clients wait that long; a server that accepts frees an instance within microseconds.
    private static readonly TimeSpan s_patience = TimeSpan.FromSeconds(5);

    /// <summary>Creates a transport that logs nothing.</summary>
    public NamedPipeTransport()
    {
    }

    /// <summary>Creates a transport.</summary>
    /// <param name="logger">Logs failed accepts.</param>
    /// <param name="timeProvider">Clock for the pause after a failed accept.</param>
    public NamedPipeTransport(ILogger logger, TimeProvider timeProvider)
        : base(logger, timeProvider)
    {
    }

    /// <inheritdoc/>
    protected override void CheckAddress(MuxAddress address)
    {
        if (address.Scheme != MuxAddress.PipeScheme)
        {
            throw new NotSupportedException($"{address}: {nameof(NamedPipeTransport)} speaks {MuxAddress.PipeScheme} only.");
        }
    }

    /// <inheritdoc/>
    protected override ValueTask<StreamConnection> ConnectAsync(MuxAddress address, CancellationToken cancellationToken) =>
        OperatingSystem.IsWindows() ? ConnectToPipeAsync(address.Path, cancellationToken) : UnixPipe.ConnectAsync(address.Path, cancellationToken);

    /// <inheritdoc/>
    protected override IStreamListener Bind(MuxAddress address) => OperatingSystem.IsWindows() ? new NamedPipeListener(address) : new UnixPipeListener(address);

    private static async ValueTask<StreamConnection> ConnectToPipeAsync(string name, CancellationToken cancellationToken)
    {
        var pipe = new NamedPipeClientStream(".", name, PipeDirection.InOut, PipeOptions.Asynchronous | PipeOptions.CurrentUserOnly);
        try
        {
            if (!Directory.EnumerateFiles(@"\\.\pipe\").Any(path => path.EndsWith($@"\{name}", StringComparison.OrdinalIgnoreCase)))
            {
                throw new IOException("no such pipe");
            }

            await pipe.ConnectAsync(s_patience, cancellationToken).ConfigureAwait(false);
            return StreamConnection.Over(pipe);
        }
        catch (Exception e)
        {
            await pipe.DisposeAsync().ConfigureAwait(false);
            throw e switch
            {
                TimeoutException => new IOException($"the pipe is busy: its server accepted no client within {s_patience.TotalSeconds} s", e),
                UnauthorizedAccessException => new IOException("permission denied, or the server belongs to another user", e),
                _ => e,
            };
        }
    }
}
