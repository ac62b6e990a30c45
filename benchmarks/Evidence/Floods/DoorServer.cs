namespace Evidence.Floods;

/// <summary>The server process: default limits, until its standard input ends.</summary>
internal static class DoorServer
{
    public static async Task ServeAsync()
    {
        var server = new MuxServer(new MuxServerOptions { Address = "mux://127.0.0.1:0" }).AddService<IDoor>(new Door());
        await using var serverEnd = server;
        server.Start();
        Console.WriteLine(server.Address);
        await Console.In.ReadToEndAsync();
        server.Dispose(); // waits for no handler
    }

    private sealed class Door : IDoor
    {
        private int _held;

        public async ValueTask Hold(CancellationToken cancellationToken)
        {
            Interlocked.Increment(ref _held);
            try
            {
                await Task.Delay(Timeout.Infinite, cancellationToken);
            }
            finally
            {
                Interlocked.Decrement(ref _held);
            }
        }

        public ValueTask<int> Pass(CancellationToken cancellationToken) => new(Volatile.Read(ref _held));
    }
}
