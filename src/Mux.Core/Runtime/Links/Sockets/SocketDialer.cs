using System.Net;
using System.Net.Sockets;
using Mux.Transports.Sockets;

namespace Mux.Runtime;

/// <summary>
/// Resolves and connects for one dialed link, once. An address that does not answer is tried again until <see cref="Cancel"/>. One long attempt would be
/// slower: systems double the pause between SYNs, so a host that returns after 15 s would be found 16 s later.
/// </summary>
/// <remarks>
/// The dialer never waits for the .NET thread pool, so that event loops can dial even when the pool is full of blocked user code. The sockets of
/// <see cref="SocketTransport"/> cannot: .NET connects and receives for them on its pool, on every operating system.
/// </remarks>
#pragma warning disable CA1001 // The source has no timer and no wait handle: there is nothing to dispose.
internal sealed class SocketDialer(MuxAddress address, SocketSetup setup, SocketDialer.Connect connect, TimeProvider timeProvider) : IThreadPoolWorkItem
#pragma warning restore CA1001
{
    /// <summary>
    /// Time limit for one attempt without an answer. Systems repeat a SYN once within it, after 1 s (RFC 6298). So a host that returns is asked within 1 s, and
    /// paths with a round trip of up to 2 s can connect; a shorter limit would fail them.
    /// </summary>
    internal static readonly TimeSpan AnswerTime = TimeSpan.FromSeconds(2);

    /// <summary>Connects a new socket in the way of the socket engine. The caller disposes the socket if that fails.</summary>
    /// <returns>
    /// <see cref="SocketError.Success"/>, how the connect failed, or <see cref="SocketError.OperationAborted"/> if the token was cancelled.
    /// </returns>
    internal delegate ValueTask<SocketError> Connect(Socket socket, EndPoint endPoint, CancellationToken cancellationToken);

    private static readonly long s_answerTime = Clock.Microseconds(AnswerTime);

    private readonly Clock _clock = new(timeProvider);
    private readonly CancellationTokenSource _cancellation = new();

    /// <summary>Ends <see cref="ConnectAsync"/> soon, at any stage. Never runs its continuation on the calling thread.</summary>
    public void Cancel() => WorkQueue.OfProcess.Add(this);

    void IThreadPoolWorkItem.Execute() => _cancellation.Cancel();

    /// <summary>Tries the addresses of the host, and again while none is connected and any of them does not answer.</summary>
    /// <returns>
    /// A connected socket, prepared for a link; or an <see cref="IOException"/>, whose message names the address and the reason of each attempt.
    /// </returns>
    /// <exception cref="OperationCanceledException"><see cref="Cancel"/> was called.</exception>
    public async Task<DialOutcome> ConnectAsync()
    {
        if (address is { Scheme: MuxAddress.TcpScheme or MuxAddress.TlsScheme, Port: 0 }) return Failed("port 0 is for listeners", null);

        EndPoint[] endPoints;
        try
        {
            endPoints = await SocketEndPoints.ResolveAsync(address, _cancellation.Token).AsTask().InPlace();
        }
        catch (SocketException e)
        {
            return Failed(SocketFailure.Describe(e.SocketErrorCode), e);
        }

        DialRace race;
        do
        {
            race = new DialRace(endPoints, ConnectToAsync, _clock, _cancellation.Token);
            if (await race.RunAsync().InPlace() is { } socket) return new(socket);
            _cancellation.Token.ThrowIfCancellationRequested();
        }
        while (race.IsUnanswered);

        // Other failures, such as an option that the system refuses, are the same for every address.
        if (race.Failures.FirstOrDefault(failure => failure.Exception is not SocketException).Exception is { } other)
        {
            return Failed(other.Message.TrimEnd('.'), other);
        }

        return Failed(Describe(race.Failures), race.Failures[^1].Exception);
    }

    private DialOutcome Failed(string reason, Exception? cause) => new(null, new IOException($"Cannot connect to {address}: {reason}.", cause));

    private async Task<DialOutcome> ConnectToAsync(EndPoint endPoint, CancellationToken race)
    {
        var socket = setup.Create(endPoint);
        try
        {
            var error = await ConnectInTimeAsync(socket, endPoint, race).InPlace();
            if (error == SocketError.Success)
            {
                socket.Blocking = false;
                SocketSetup.PrepareConnected(socket);
                return new(socket);
            }

            socket.Dispose();
            return error == SocketError.OperationAborted ? default : new(null, new SocketException((int)error));
        }
        catch
        {
            socket.Dispose();
            throw;
        }
    }

    private async Task<SocketError> ConnectInTimeAsync(Socket socket, EndPoint endPoint, CancellationToken race)
    {
        var limit = new DialTimer(_clock, endPoint is UnixDomainSocketEndPoint ? Clock.Never : s_answerTime, race);
        try
        {
            return await connect(socket, endPoint, limit.Token).AsTask().InPlace();
        }
        finally
        {
            limit.End();
        }
    }

    private static string Describe(IReadOnlyList<(EndPoint EndPoint, Exception Exception)> failures)
    {
        if (failures.Count > 1) return string.Join("; ", failures.Select(f => $"{f.EndPoint} {SocketFailure.Describe(CodeOf(f.Exception))}"));
        var (endPoint, exception) = failures[0];
        bool isMissingFile = endPoint is UnixDomainSocketEndPoint && CodeOf(exception) is SocketFailure.NoSuchFile;
        return isMissingFile ? "no such socket file" : SocketFailure.Describe(CodeOf(exception));
    }

    private static SocketError CodeOf(Exception failure) => ((SocketException)failure).SocketErrorCode;
}
