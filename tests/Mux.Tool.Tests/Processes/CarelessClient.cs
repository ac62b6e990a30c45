using System.Buffers.Binary;
using System.Net;
using System.Net.Sockets;
using System.Text;
using Mux.TestSupport.Transports;

namespace Mux.Tool.Tests.Processes;

/// <summary>
/// A client under examination of a few lines: makes the calls of the contract on one connection after another and does two tasks, but has never read what a server may not send, nor what credit is.
/// </summary>
internal sealed class CarelessClient : IAsyncDisposable
{
    private const int HeaderSize = 8;
    private const byte Hello = 1, Ping = 2, Define = 5, Request = 8, Item = 9, End = 10, Cancel = 11, Response = 16, Fail = 18, AnswerFlag = 4 << 5;
    private const uint Second = 2 | 1 << 20, Third = 3 | 1 << 20, Fourth = 3 | 2 << 20, Fifth = 4 | 1 << 20;

    private static readonly byte[] s_preface = "MUX1\r\n\u001a\n"u8.ToArray();

    private readonly IPEndPoint _server;
    private readonly bool _takesWrongSlots;
    private readonly bool _answersOtherPings;
    private readonly CancellationTokenSource _end = new();
    private readonly Task _running;

    /// <param name="address">As the tool prints it.</param>
    /// <param name="rounds">How often it dials.</param>
    /// <param name="takesWrongSlots">Whether its call after the first three skips a slot.</param>
    /// <param name="answersOtherPings">Whether its answer to a PING has bytes of its own.</param>
    public CarelessClient(string address, int rounds = int.MaxValue, bool takesWrongSlots = false, bool answersOtherPings = false)
    {
        _answersOtherPings = answersOtherPings;
        _takesWrongSlots = takesWrongSlots;
        _server = IPEndPoint.Parse(address["mux://".Length..]);
        _running = RunAsync(rounds);
    }

    /// <summary>Completes when it has dialed as often as it should, and the last connection is over.</summary>
    public Task Played => _running;

    public Counter Rounds { get; } = new("rounds of the careless client");

    public async ValueTask DisposeAsync()
    {
        await _end.CancelAsync();
        await _running.Within("the end of the careless client");
        _end.Dispose();
    }

    private async Task RunAsync(int rounds)
    {
        try
        {
            for (int round = 0; round < rounds; round++) await PlayAsync();
        }
        catch (Exception error) when (error is OperationCanceledException or SocketException)
        {
            // The test, or the tool, is done.
        }
    }

    private async Task PlayAsync()
    {
        using var socket = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        await socket.ConnectAsync(_server, _end.Token);
        Rounds.Add();
        await using var stream = new NetworkStream(socket);
        try
        {
            await stream.WriteAsync((byte[])[.. s_preface, .. Frame(Hello, 0, [1, 1, 0, 0])], _end.Token);
            await stream.ReadExactlyAsync(new byte[s_preface.Length], _end.Token);
            while (true) await AnswerAsync(stream);
        }
        catch (IOException)
        {
            // The connection is over, and the next round begins.
        }
    }

    private async Task AnswerAsync(NetworkStream stream)
    {
        var header = new byte[HeaderSize];
        await stream.ReadExactlyAsync(header, _end.Token);
        var payload = new byte[header[0] | header[1] << 8 | header[2] << 16];
        await stream.ReadExactlyAsync(payload, _end.Token);
        uint id = BinaryPrimitives.ReadUInt32LittleEndian(header.AsSpan(4));
        byte[] answer = (header[3] & 0x1F, id) switch
        {
            (Hello, _) =>
            [
                .. Frame(Define, 0, [0, 0, 0, .. "mux.spec/Wait"u8]), .. Frame(Define, 0, [1, 0, 0, .. "mux.spec/Task"u8]),
                .. Frame(Request, 1 | 1 << 20, [0, 0, 0, 0]), .. Frame(Request, Second, [0, 0, 0, 0]), .. Frame(Request, Third, [1, 0, 0, 0]),
            ],
            (Ping, _) when (header[3] & AnswerFlag) == 0 => Frame(Ping | AnswerFlag, 0, _answersOtherPings ? [1, 2, 3, 4, 5, 6, 7, 8] : payload),
            (Request, _) => Frame(Fail, id, [12, 0, 0, 0, 0, 0, 0, 0]), // Unimplemented, not executed
            (Response, Third) => Do(Encoding.ASCII.GetString(payload)),
            (Response or Fail, Fourth) => Frame(Request, Fifth, [1, 0, 0, 0, .. "ok 1"u8]), // of an echo, however it ended
            _ => [],
        };
        await stream.WriteAsync(answer, _end.Token);
    }

    private byte[] Do(string task)
    {
        if (task == "cancel") return [.. Frame(Cancel, Second, [0]), .. Frame(Request, _takesWrongSlots ? Fifth : Fourth, [1, 0, 0, 0])];
        if (task.StartsWith("calls ", StringComparison.Ordinal))
            return [.. Frame(Define, 0, [2, 0, 0, .. "mux.spec/Echo"u8]), .. Frame(Request, Fourth, [2, 0, 0, 0])];
        if (task.StartsWith("down ", StringComparison.Ordinal))
            return [.. Frame(Define, 0, [2, 0, 2, .. "mux.spec/Down"u8]), .. Frame(Request, Fourth, [2, 0, 0, 0])];
        if (!task.StartsWith("up ", StringComparison.Ordinal)) return [];
        var content = Enumerable.Range(0, int.Parse(task.Split(' ')[1], System.Globalization.CultureInfo.InvariantCulture)).Select(at => (byte)(at % 251)).ToArray();
        int count = int.Parse(task.Split(' ')[2], System.Globalization.CultureInfo.InvariantCulture);
        return
        [
            .. Frame(Define, 0, [2, 0, 1, .. "mux.spec/Up"u8]), .. Frame(Request, Fourth, [2, 0, 8, 0]),
            .. Enumerable.Repeat(Frame(Item, Fourth, content), count).SelectMany(item => item), .. Frame(End, Fourth, []),
            .. Frame(Request, Fifth, [1, 0, 0, 0, .. Encoding.ASCII.GetBytes($"ok {count}")]),
        ];
    }

    private static byte[] Frame(byte kind, uint id, byte[] payload)
    {
        var bytes = new byte[HeaderSize + payload.Length];
        BinaryPrimitives.WriteUInt32LittleEndian(bytes, (uint)payload.Length | (uint)kind << 24);
        BinaryPrimitives.WriteUInt32LittleEndian(bytes.AsSpan(4), id);
        payload.CopyTo(bytes.AsSpan(HeaderSize));
        return bytes;
    }
}
