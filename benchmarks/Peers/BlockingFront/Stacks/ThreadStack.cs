using System.Collections.Concurrent;
using System.Net;
using System.Net.Sockets;

namespace BlockingFront.Stacks;

/// <summary>By hand, as it was done before there were pools: one thread for each request of the front, which sends, receives and ends. Requests have eight bytes, an id and a number; so have answers.</summary>
internal sealed class ThreadStack : Stack
{
    private const int Backlog = 512;

    public override string Name => "threads";

    public override async Task RunBackAsync(Func<int, Task> announce)
    {
        using var listener = Listen();
        AcceptAll(listener, static socket => new NumberPipe(socket, static (pipe, id, number) => _ = AnswerLaterAsync(pipe, id, number)).Start());
        await announce(((IPEndPoint)listener.LocalEndPoint!).Port);
    }

    public override async Task RunFrontAsync(int back, Func<int, Task> announce)
    {
        using var listener = Listen();
        var client = new NumberClient(Dial(back));
        AcceptAll(listener, socket => new NumberPipe(socket, (pipe, id, number) => Spawn(() => pipe.Send(id, client.Call(number)))).Start());
        await announce(((IPEndPoint)listener.LocalEndPoint!).Port);
    }

    public override ICallers Connect(int front) => new NumberClient(Dial(front));

    private static Socket Listen()
    {
        var listener = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        listener.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        listener.Listen(Backlog);
        return listener;
    }

    private static Socket Dial(int port)
    {
        var socket = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp) { NoDelay = true };
        socket.Connect(IPAddress.Loopback, port);
        return socket;
    }

    private static void AcceptAll(Socket listener, Action<Socket> serve) => Spawn(() =>
    {
        try
        {
            while (true)
            {
                var socket = listener.Accept();
                socket.NoDelay = true;
                serve(socket);
            }
        }
        catch (SocketException)
        {
            // The process ends.
        }
    });

    private static void Spawn(Action run) => new Thread(() => run()) { IsBackground = true }.UnsafeStart();

    private static async Task AnswerLaterAsync(NumberPipe pipe, int id, int number)
    {
        await Task.Delay(BackTime);
        pipe.Send(id, number + 1);
    }

    private sealed class NumberClient : ICallers
    {
        private readonly ConcurrentDictionary<int, TaskCompletionSource<int>> _open = [];
        private readonly NumberPipe _pipe;
        private int _lastId;

        public NumberClient(Socket socket)
        {
            _pipe = new NumberPipe(socket, (_, id, number) =>
            {
                if (_open.TryRemove(id, out var call)) call.SetResult(number);
            });
            _pipe.Start();
        }

        /// <summary>Blocks until the answer is there.</summary>
        public int Call(int number) => Send(number, TaskCreationOptions.None).Result;

        public ValueTask<int> CallAsync(int number) => new(Send(number, TaskCreationOptions.RunContinuationsAsynchronously));

        public ValueTask DisposeAsync()
        {
            _pipe.Dispose();
            return default;
        }

        private Task<int> Send(int number, TaskCreationOptions options)
        {
            int id = Interlocked.Increment(ref _lastId);
            var call = _open[id] = new TaskCompletionSource<int>(options);
            _pipe.Send(id, number);
            return call.Task;
        }
    }
}
