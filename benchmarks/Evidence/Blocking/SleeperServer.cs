namespace Evidence.Blocking;

/// <summary>The other process: serves handlers that sleep until its standard input ends.</summary>
internal static class SleeperServer
{
    /// <param name="other">Address of the server whose replies its handlers await; null for none.</param>
    public static void Serve(string? other)
    {
        var server = new MuxServer("mux://127.0.0.1:0").AddService<ISleeper>(new Sleeper(other is null ? null : MuxChannel.Create(other).CreateProxy<ISleeper>()));
        server.Start();
        Console.WriteLine(server.Address);
        Console.In.ReadToEnd();

        Environment.Exit(0); // with it go those that sleep
    }

    private sealed class Sleeper(ISleeper? other) : ISleeper
    {
        private readonly ManualResetEventSlim _never = new();
        private int _sleeping;

        public ValueTask<int> Sleep(int number)
        {
            Interlocked.Increment(ref _sleeping);
            _never.Wait();
            return new(number);
        }

        public ValueTask<int> Sleeping() => new(Volatile.Read(ref _sleeping));

        public ValueTask<int> Echo(int number) => new(number);

        public ValueTask<byte[]> Bytes(int count) => new(new byte[count]);

        public ValueTask<int> LengthOf(byte[] bytes, MuxCallOptions? options) => new(bytes.Length);

        public async ValueTask<int> BytesOfOther(int count) => (await other!.Bytes(count)).Length;
    }
}
