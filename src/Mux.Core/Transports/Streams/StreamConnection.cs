using System.Diagnostics;
using System.Globalization;
using System.IO.Pipelines;
using System.Net.Security;
using System.Net.Sockets;

namespace Mux.Transports.Streams;

/// <summary>
/// An established connection that something else has made: any pair of byte streams. A <see cref="StreamTransport"/> dials or accepts such connections.
/// Whoever is given one owns its streams and ends them.
/// </summary>
/// <remarks>
/// <para>A read and a write may be under way at a time, on different threads; never two reads or two writes. Reads and writes must not block the caller: a
/// stream whose ReadAsync is asynchronous in name only holds up a thread of the pool, and one whose WriteAsync is holds up whoever calls.</para>
/// <para>An idle connection waits with an empty read and holds no buffer. A stream that takes an empty read for nothing and returns at once, as files and
/// consoles do, holds 64 KiB while it waits.</para>
/// <para>The end of one direction: a pipe's writer is completed; a stream that is for output alone is disposed; of a <see cref="NetworkStream"/>, and of TLS
/// that Mux itself has made, the sending side of the socket is shut down. Any other stream, an <see cref="SslStream"/> of yours included, can only end as a
/// whole, and does when the last bytes are out.</para>
/// </remarks>
public sealed class StreamConnection
{
    private const int BindingLength = 32;

    private readonly Stream? _inputStream;
    private readonly Stream? _outputStream;
    private ReadOnlyMemory<byte> _channelBinding;
    private int _isReleased;

    private StreamConnection(ByteInput input, ByteOutput output, Stream? inputStream, Stream? outputStream, string remoteAddress)
    {
        ArgumentNullException.ThrowIfNull(remoteAddress);
        RemoteAddress = remoteAddress;
        Input = input;
        Output = output;
        _inputStream = inputStream;
        _outputStream = outputStream;
    }

    /// <summary>The peer's address for logs, such as <c>127.0.0.1:50312</c>; empty where there is none.</summary>
    public string RemoteAddress { get; }

    /// <summary>
    /// Who the peer is, as whoever made the connection knows; a server takes it where TrustTransport of its MuxIdentityOptions says so. Set before the
    /// connection is handed over.
    /// </summary>
    /// <value>Null by default: nobody knows.</value>
    public PeerIdentity? Identity { get; set; }

    /// <summary>
    /// What both ends know of the encryption below (<see cref="Link.ChannelBinding"/>), to which shared keys are bound. Set before the connection is handed
    /// over, where TLS is not the stream itself but below it.
    /// </summary>
    /// <value>By default that of <see cref="TlsChannelBinding"/> over an <see cref="SslStream"/> whose handshake is done, and empty over anything else. 32
    /// bytes or none.</value>
    /// <exception cref="ArgumentException">The length is another one.</exception>
    public ReadOnlyMemory<byte> ChannelBinding
    {
        get => _channelBinding;
        set
        {
            if (value.Length is not (0 or BindingLength))
            {
                throw new ArgumentException($"A channel binding of {value.Length} bytes; allowed are {BindingLength}, or none.", nameof(value));
            }

            _channelBinding = value;
        }
    }

    /// <summary>What most likely is wrong if the peer ends the connection before it has sent a byte; null for nothing that is known.</summary>
    internal string? EarlyEnd { get; set; }

    internal ByteInput Input { get; }

    internal ByteOutput Output { get; }

    /// <summary>The link that the streams are upon, if there is one.</summary>
    internal LinkStream? Driver { get; private init; }

    /// <summary>A connection over one stream for both directions.</summary>
    /// <param name="stream">What the peer sends and receives.</param>
    /// <param name="remoteAddress">The peer's address for logs; empty where there is none.</param>
    /// <exception cref="ArgumentException">It cannot be read or cannot be written.</exception>
    public static StreamConnection Over(Stream stream, string remoteAddress = "")
    {
        CheckReadable(stream, nameof(stream));
        CheckWritable(stream, nameof(stream));
        return new(new StreamInput(stream, isOneWay: false, WaitingOf(stream)), new StreamOutput(stream, isOneWay: false, ShutdownOf(stream)), stream, null,
            remoteAddress)
        { ChannelBinding = BindingOf(stream) };
    }

    /// <summary>A connection over one stream for each direction, such as the standard streams of a process.</summary>
    /// <param name="input">What the peer sends.</param>
    /// <param name="output">What the peer receives; another stream than <paramref name="input"/>.</param>
    /// <param name="remoteAddress">The peer's address for logs; empty where there is none.</param>
    /// <exception cref="ArgumentException"><paramref name="input"/> cannot be read, <paramref name="output"/> cannot be written, or they are the
    /// same.</exception>
    public static StreamConnection Over(Stream input, Stream output, string remoteAddress = "")
    {
        CheckReadable(input, nameof(input));
        CheckWritable(output, nameof(output));
        if (ReferenceEquals(input, output)) throw new ArgumentException("It is the input as well: give one stream for both directions alone.", nameof(output));
        return new(new StreamInput(input, isOneWay: true, WaitingOf(input)), new StreamOutput(output, isOneWay: true, shutdown: null), input, output,
            remoteAddress);
    }

    /// <summary>
    /// A connection over a pair of pipes. Segments are read in place; the pause threshold of the output is how much is sent before the peer reads, that of the
    /// input how much the peer may send.
    /// </summary>
    /// <param name="pipe">The input is what the peer sends, the output what it receives.</param>
    /// <param name="remoteAddress">The peer's address for logs; empty where there is none.</param>
    public static StreamConnection Over(IDuplexPipe pipe, string remoteAddress = "")
    {
        ArgumentNullException.ThrowIfNull(pipe);
        return new(new PipeInput(pipe.Input), new PipeOutput(pipe.Output), null, null, remoteAddress);
    }

    /// <summary>
    /// A connection over the standard streams of this process, to whoever started it: a server that a client runs for itself. The console is lost to everything
    /// else: what is written to <see cref="Console.Out"/> from now on goes to the standard error, so that it does not get between the frames.
    /// </summary>
    /// <remarks>Once in the life of a process. A logger must not write to the standard output by itself; that of the console has LogToStandardErrorThreshold.
    /// Reading holds a thread of the pool. The client sees the end of the output when the process exits: end it when the server has been left.</remarks>
    /// <example>
    /// The whole of such a server:
    /// <code>
    /// await using var server = new MuxServer(string.Empty).AddService&lt;IDesk&gt;(new Desk());
    /// server.Start();
    /// await server.ServeAsync(StreamConnection.OverStandardStreams()); // until the client ends the connection, or itself
    /// </code>
    /// </example>
    public static StreamConnection OverStandardStreams()
    {
        var connection = Over(StandardStreams.OpenInput(), StandardStreams.OpenOutput(), "standard streams");
        Console.SetOut(Console.Error);
        return connection;
    }

    /// <summary>
    /// A connection over the standard streams of a process, which the caller has started with its standard input and output redirected, and ends.
    /// </summary>
    /// <param name="process">
    /// Nobody else reads from or writes to these streams. What it writes to its standard error is the caller's. The connection closes the streams when it ends:
    /// another one over them fails, and needs a new process.
    /// </param>
    /// <exception cref="InvalidOperationException">Its standard input or output is not redirected.</exception>
    /// <example>
    /// <code>
    /// options.Transport = StreamTransport.Connecting((address, _) => new(StreamConnection.Over(StartWorker()))); // a new process after a loss
    /// </code>
    /// </example>
    public static StreamConnection Over(Process process)
    {
        ArgumentNullException.ThrowIfNull(process);
        return Over(process.StandardOutput.BaseStream, process.StandardInput.BaseStream, string.Create(CultureInfo.InvariantCulture, $"process {process.Id}"));
    }

    /// <summary>A connection over one stream for both directions that is upon a link, on whose threads it runs from now on.</summary>
    internal static StreamConnection Over(Stream stream, LinkStream driver)
    {
        driver.RunInPlace();
        return new(new StreamInput(stream, isOneWay: false, () => driver.HasWaiting), new StreamOutput(stream, isOneWay: false, driver.ShutdownSend), stream,
            null, driver.RemoteAddress)
        { Driver = driver, ChannelBinding = BindingOf(stream) };
    }

    /// <summary>Ends both streams. Pipes are completed by the directions, which use them to the last. From any thread, repeatedly.</summary>
    internal void DisposeStreams()
    {
        if (Interlocked.Exchange(ref _isReleased, 1) == 1) return;
        using var scope = StreamScope.Enter();
        // else an operation that is pending makes a reset of the end
        if (_inputStream is not null && Output.CanShutdown && _outputStream is null) StreamFailure.Attempt(Output.Shutdown);
        if (_outputStream is not null) StreamFailure.Attempt(_outputStream.Dispose);
        if (_inputStream is not null) StreamFailure.Attempt(_inputStream.Dispose);
    }

    private static ReadOnlyMemory<byte> BindingOf(Stream stream) => stream is SslStream tls ? TlsChannelBinding.Of(tls) : default;

    /// <summary>What tells whether bytes wait for a stream; null if nobody can.</summary>
    private static Func<bool>? WaitingOf(Stream stream) => stream is NetworkStream { Socket: var socket } ? () => HasWaiting(socket) : null;

    /// <summary>What ends the sending side alone; null if nobody can.</summary>
    private static Action? ShutdownOf(Stream stream) => stream is NetworkStream { Socket: var socket } ? () => socket.Shutdown(SocketShutdown.Send) : null;

    private static bool HasWaiting(Socket socket)
    {
        try
        {
            return socket.Available > 0;
        }
        catch (Exception e) when (e is SocketException or ObjectDisposedException)
        {
            return false;
        }
    }

    private static void CheckReadable(Stream stream, string name)
    {
        ArgumentNullException.ThrowIfNull(stream, name);
        if (!stream.CanRead) throw new ArgumentException("The stream cannot be read.", name);
    }

    private static void CheckWritable(Stream stream, string name)
    {
        ArgumentNullException.ThrowIfNull(stream, name);
        if (!stream.CanWrite) throw new ArgumentException("The stream cannot be written.", name);
    }
}
