using System.Diagnostics;
using System.Globalization;
using System.IO.Pipelines;
using System.Net;
using System.Net.Security;
using System.Net.Sockets;
using Microsoft.Win32.SafeHandles;
using Mux.Runtime;

namespace Mux.Transports.Streams;

/// <summary>
/// An established connection over any pair of byte streams. A <see cref="StreamTransport"/> connects or accepts such connections, and
/// <c>MuxServer.ServeAsync</c> serves them. The transport or server that receives the connection owns its streams and ends them.
/// </summary>
/// <remarks>
/// <para>One read and one write may run concurrently, on different threads; never two reads or two writes. Reads and writes must not block their caller: a
/// ReadAsync that blocks occupies a thread of the .NET thread pool, and a WriteAsync that blocks delays the code that sends.</para>
/// <para>An idle connection waits with an empty read and holds no buffer. For a stream that completes an empty read at once, as files and consoles do, it holds
/// 64 KiB while it waits.</para>
/// <para>This is how Mux ends the sending direction alone: it completes the writer of a pipe, and disposes a stream that is only written. For a
/// <see cref="NetworkStream"/>, and for TLS connections of Mux itself, it shuts down the sending side of the socket. Any other stream, your own
/// <see cref="SslStream"/> included, cannot end one direction alone: Mux ends both together, after the last bytes were written.</para>
/// </remarks>
public sealed class StreamConnection
{
    private const int StandardInput = 0;
    private const int StandardOutput = 1;
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

    /// <summary>Gets the peer's address for logs, such as <c>127.0.0.1:50312</c>; empty if there is none.</summary>
    public string RemoteAddress { get; }

    /// <summary>
    /// Gets or sets the identity of the peer, if your code knows it. A server accepts the identity if TrustTransport of its MuxIdentityOptions is true. Set it
    /// before you pass the connection to Mux.
    /// </summary>
    /// <value>Null by default: not known.</value>
    public PeerIdentity? Identity { get; set; }

    /// <summary>
    /// Gets or sets the value that both ends of the encrypted connection know (<see cref="Link.ChannelBinding"/>); shared keys are bound to it. If TLS runs
    /// below the stream, set the value before you pass the connection to Mux.
    /// </summary>
    /// <value>32 bytes, or empty. By default the <see cref="TlsChannelBinding"/> of an <see cref="SslStream"/> whose handshake is complete, and empty for other
    /// streams.</value>
    /// <exception cref="ArgumentException">The value has a different length.</exception>
    public ReadOnlyMemory<byte> ChannelBinding
    {
        get => _channelBinding;
        set
        {
            if (value.Length is not (0 or BindingLength))
            {
                throw new ArgumentException($"The channel binding has {value.Length} bytes: expected {BindingLength}, or none.", nameof(value));
            }

            _channelBinding = value;
        }
    }

    /// <summary>The most likely cause if the peer ends the connection before it has sent a byte; null if none is known.</summary>
    internal string? EarlyEnd { get; set; }

    internal ByteInput Input { get; }

    internal ByteOutput Output { get; }

    /// <summary>The link below the streams, if there is one.</summary>
    internal LinkStream? Driver { get; private init; }

    /// <summary>Creates a connection over one stream for both directions.</summary>
    /// <param name="stream">The stream to and from the peer.</param>
    /// <param name="remoteAddress">The peer's address. Logs show it, and a channel uses it to decide whether the peer is on another machine. If empty, a
    /// <see cref="NetworkStream"/> has the address of its socket; other streams have no address.</param>
    /// <exception cref="ArgumentException">The stream cannot be read or cannot be written.</exception>
    public static StreamConnection Over(Stream stream, string remoteAddress = "")
    {
        CheckReadable(stream, nameof(stream));
        CheckWritable(stream, nameof(stream));
        return new(new StreamInput(stream, isOneWay: false, WaitingOf(stream)), new StreamOutput(stream, isOneWay: false, ShutdownOf(stream)), stream, null,
            remoteAddress is "" ? AddressOf(stream) : remoteAddress)
        { ChannelBinding = BindingOf(stream) };
    }

    /// <summary>Creates a connection over one stream for each direction, such as the standard streams of a process.</summary>
    /// <param name="input">The stream from the peer.</param>
    /// <param name="output">The stream to the peer; not the same stream as <paramref name="input"/>.</param>
    /// <param name="remoteAddress">The peer's address for logs; empty if there is none.</param>
    /// <exception cref="ArgumentException"><paramref name="input"/> cannot be read, <paramref name="output"/> cannot be written, or they are the
    /// same.</exception>
    public static StreamConnection Over(Stream input, Stream output, string remoteAddress = "")
    {
        CheckReadable(input, nameof(input));
        CheckWritable(output, nameof(output));
        if (ReferenceEquals(input, output)) throw new ArgumentException("The output is the input: call Over(stream) for one stream.", nameof(output));
        return new(new StreamInput(input, isOneWay: true, WaitingOf(input)), new StreamOutput(output, isOneWay: true, shutdown: null), input, output,
            remoteAddress);
    }

    /// <summary>
    /// Creates a connection over a pair of pipes. Segments are read in place. The pause threshold of the output limits the bytes that are sent before the peer
    /// reads them. The pause threshold of the input limits the bytes that the peer may send.
    /// </summary>
    /// <param name="pipe">The pipe. Its input contains the bytes from the peer, its output takes the bytes to the peer.</param>
    /// <param name="remoteAddress">The peer's address for logs; empty if there is none.</param>
    public static StreamConnection Over(IDuplexPipe pipe, string remoteAddress = "")
    {
        ArgumentNullException.ThrowIfNull(pipe);
        return new(new PipeInput(pipe.Input), new PipeOutput(pipe.Output), null, null, remoteAddress);
    }

    /// <summary>
    /// Creates a connection over the standard streams of this process to the process that started it. For a server that a client starts as its own process.
    /// Afterwards <see cref="Console.Out"/> writes to the standard error, so that no other output mixes with the frames.
    /// </summary>
    /// <remarks>Call it once in the life of a process. Loggers must not write to the standard output: for the console logger, set LogToStandardErrorThreshold.
    /// Reading occupies a thread of the .NET thread pool. The client sees the end of the output only when the process exits, so exit when ServeAsync has
    /// returned.</remarks>
    /// <example>
    /// The whole of such a server:
    /// <code>
    /// await using var server = new MuxServer(string.Empty).AddService&lt;IDesk&gt;(new Desk());
    /// server.Start();
    /// await server.ServeAsync(StreamConnection.OverStandardStreams()); // until either side ends the connection
    /// </code>
    /// </example>
    public static StreamConnection OverStandardStreams()
    {
        bool isWindows = OperatingSystem.IsWindows();
        var input = isWindows ? Console.OpenStandardInput() : OpenStandard(StandardInput, FileAccess.Read);
        var output = isWindows ? Console.OpenStandardOutput() : OpenStandard(StandardOutput, FileAccess.Write);
        var connection = Over(input, output, "standard streams");
        Console.SetOut(Console.Error);
        return connection;
    }

    /// <summary>
    /// Creates a connection over the standard streams of a process. The caller starts the process, with standard input and output redirected, and ends it.
    /// </summary>
    /// <param name="process">The process. No other code may read from or write to these streams. Mux does not use its standard error. The connection closes the
    /// streams when it ends: another connection needs a new process.
    /// </param>
    /// <exception cref="InvalidOperationException">The standard input or output of the process is not redirected.</exception>
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

    /// <summary>Creates a connection over one stream above a link. From now on the connection runs on the threads of the link.</summary>
    internal static StreamConnection Over(Stream stream, LinkStream driver)
    {
        driver.RunInPlace();
        return new(new StreamInput(stream, isOneWay: false, () => driver.HasWaiting), new StreamOutput(stream, isOneWay: false, driver.ShutdownSend), stream,
            null, driver.RemoteAddress)
        { Driver = driver, ChannelBinding = BindingOf(stream) };
    }

    /// <summary>Ends both streams. Pipes are completed by the directions, which use them to the end. Any thread, any number of times.</summary>
    internal void DisposeStreams()
    {
        if (Interlocked.Exchange(ref _isReleased, 1) == 1) return;
        using var scope = StreamScope.Enter();
        // otherwise a pending operation turns the end into a reset
        if (_inputStream is not null && Output.CanShutdown && _outputStream is null) StreamFailure.Attempt(Output.Shutdown);
        if (_outputStream is not null) StreamFailure.Attempt(_outputStream.Dispose);
        if (_inputStream is not null) StreamFailure.Attempt(_inputStream.Dispose);
    }

    // Console streams create a task for every read and write; file streams do not.
    private static FileStream OpenStandard(int handle, FileAccess access) =>
        new(new SafeFileHandle(handle, ownsHandle: false), access, bufferSize: 0);

    private static ReadOnlyMemory<byte> BindingOf(Stream stream) => stream is SslStream tls ? TlsChannelBinding.Of(tls) : default;

    private static string AddressOf(Stream stream)
    {
        try
        {
            return stream is NetworkStream { Socket.RemoteEndPoint: IPEndPoint endPoint } ? endPoint.ToString() : string.Empty;
        }
        catch (Exception e) when (e is SocketException or ObjectDisposedException)
        {
            return string.Empty; // it is not connected any more, which the first read finds
        }
    }

    /// <summary>Gets a function that tells whether bytes wait to be read; null if it cannot be known.</summary>
    private static Func<bool>? WaitingOf(Stream stream) => stream is NetworkStream { Socket: var socket } ? () => HasWaiting(socket) : null;

    /// <summary>Gets an action that ends only the sending side; null if there is none.</summary>
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
