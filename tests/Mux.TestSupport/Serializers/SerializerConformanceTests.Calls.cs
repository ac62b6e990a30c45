using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Transports;

namespace Mux.TestSupport.Serializers;

/// <content>The same over a connection, which lives whatever messages come.</content>
public abstract partial class SerializerConformanceTests<TContract, TMessage, TEcho>
{
    private static CancellationToken Token => TestContext.Current.CancellationToken;

    /// <summary>Calls the contract's method Echo.</summary>
    protected abstract ValueTask<TMessage> Echo(TContract proxy, TMessage message);

    /// <summary>Calls the contract's method EchoAll.</summary>
    protected abstract IAsyncEnumerable<TMessage> EchoAll(TContract proxy, IAsyncEnumerable<TMessage> messages);

    /// <summary>Calls the contract's method Refuse.</summary>
    protected abstract ValueTask Refuse(TContract proxy, TMessage message);

    [Fact(Timeout = TestLimit)]
    public async Task Requests_and_replies_arrive_as_they_were()
    {
        var scene = Begin(TransportKind.InMemory);
        var proxy = Connect<TContract>(scene, new TEcho());
        foreach (var (name, specimen) in Carried)
        {
            var sent = Make(specimen);
            Assert.Equal($"{name}: {Describe(sent)}", $"{name}: {Describe(await Echo(proxy, sent))}");
        }

        AssertOneConnection(scene);
    }

    [Fact(Timeout = TestLimit)]
    public async Task Items_arrive_as_they_were()
    {
        var scene = Begin(TransportKind.InMemory);
        var proxy = Connect<TContract>(scene, new TEcho());
        var arrived = new List<string>();
        await foreach (var message in EchoAll(proxy, Items([.. Carried.Select(specimen => Make(specimen.Value))]))) arrived.Add(Describe(message).ToString());
        Assert.Equal(Carried.Select(specimen => Describe(Make(specimen.Value)).ToString()), arrived);
        AssertOneConnection(scene);
    }

    [Fact(Timeout = TestLimit)]
    public async Task Details_of_failures_arrive_as_they_were()
    {
        var scene = Begin(TransportKind.InMemory);
        var proxy = Connect<TContract>(scene, new TEcho());
        var sent = Make(Specimens.All["ones"]);
        var expected = Describe(sent).ToString();
        var error = await Assert.ThrowsAsync<MuxException>(() => Refuse(proxy, sent).AsTask());
        Assert.Equal(MuxStatus.FailedPrecondition, error.Status);
        Assert.Equal(expected, Describe(Assert.IsType<TMessage>(error.Detail, exactMatch: false)).ToString());
    }

    [Fact(Timeout = TestLimit)]
    public async Task Null_is_refused_before_anything_is_sent()
    {
        var scene = Begin(TransportKind.InMemory);
        var proxy = Connect<TContract>(scene, new TEcho());
        var error = await Assert.ThrowsAsync<MuxException>(() => Echo(proxy, null!).AsTask());
        Assert.Equal((MuxStatus.InvalidArgument, MuxExecution.NotExecuted, MuxCallPhase.Encode), (error.Status, error.Execution, error.Phase));
        await AssertWorksAsync(proxy);
        AssertOneConnection(scene);
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_reply_that_is_null_fails_its_call_and_no_other()
    {
        var scene = Begin(TransportKind.InMemory);
        scene.ExpectedErrors.Add("ReplyUnencodable");
        var echo = new TEcho { Answer = static _ => null! };
        var proxy = Connect<TContract>(scene, echo);
        var error = await Assert.ThrowsAsync<MuxException>(() => Echo(proxy, Make(new Specimen())).AsTask());
        Assert.Equal((MuxStatus.Internal, MuxExecution.Executed), (error.Status, error.Execution));
        echo.Answer = static message => message;
        await AssertWorksAsync(proxy);
        AssertOneConnection(scene);
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_message_above_the_limit_fails_its_call_and_no_other()
    {
        var scene = Begin(TransportKind.InMemory);
        var proxy = Connect<TContract>(scene, new TEcho());
        var error = await Assert.ThrowsAsync<MuxException>(() => Echo(proxy, Make(new Specimen { Bytes = new byte[4 * 1024 * 1024 + 1] })).AsTask());
        Assert.Equal((MuxStatus.ResourceExhausted, MuxExecution.NotExecuted), (error.Status, error.Execution));
        await AssertWorksAsync(proxy);
        AssertOneConnection(scene);
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_request_that_is_no_message_fails_its_call_and_no_other()
    {
        var scene = Begin(TransportKind.InMemory);
        var server = scene.StartServer(server => server.AddService<TContract>(new TEcho()));
        var channel = scene.CreateChannel(server);
        var (raw, proxy) = (channel.CreateProxy<IRawEcho>(), channel.CreateProxy<TContract>());
        await AssertWorksAsync(proxy);
        foreach (var (what, bytes) in Hostile)
        {
            var error = await Assert.ThrowsAsync<MuxException>(() => raw.Echo(bytes).AsTask());
            Assert.True((error.Status, error.Execution) == (MuxStatus.InvalidArgument, MuxExecution.NotExecuted), $"{what}: {error}");
            await AssertWorksAsync(proxy);
        }

        AssertOneConnection(scene);
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_reply_that_is_no_message_fails_its_call_and_no_other()
    {
        var scene = Begin(TransportKind.InMemory);
        var echo = new RawEcho();
        var proxy = Connect<TContract>(scene, echo);
        await AssertWorksAsync(proxy);
        foreach (var (what, bytes) in Hostile)
        {
            echo.Answer = _ => bytes;
            var error = await Assert.ThrowsAsync<MuxException>(() => Echo(proxy, Make(new Specimen())).AsTask());
            Assert.True((error.Status, error.Execution, error.Phase) == (MuxStatus.Internal, MuxExecution.Executed, MuxCallPhase.Decode), $"{what}: {error}");
            echo.Answer = static message => message;
            await AssertWorksAsync(proxy);
        }

        AssertOneConnection(scene);
    }

    [Fact(Timeout = TestLimit)]
    public async Task An_item_that_is_no_message_ends_its_stream_and_no_other()
    {
        var scene = Begin(TransportKind.InMemory);
        var server = scene.StartServer(server => server.AddService<TContract>(new TEcho()));
        var channel = scene.CreateChannel(server);
        var (raw, proxy) = (channel.CreateProxy<IRawEcho>(), channel.CreateProxy<TContract>());
        await AssertWorksAsync(proxy);
        foreach (var (what, bytes) in Hostile)
        {
            var error = await Assert.ThrowsAsync<MuxException>(() => ReadAllAsync(raw.EchoAll(Items<byte[]>(bytes), Token)));
            Assert.True(error.Status == MuxStatus.InvalidArgument, $"{what}: {error}");
            await AssertWorksAsync(proxy);
        }

        AssertOneConnection(scene);
    }

    [Fact(Timeout = TestLimit)]
    public async Task An_item_of_a_response_that_is_no_message_ends_its_stream_and_no_other()
    {
        var scene = Begin(TransportKind.InMemory);
        var echo = new RawEcho();
        var proxy = Connect<TContract>(scene, echo);
        await AssertWorksAsync(proxy);
        foreach (var (what, bytes) in Hostile)
        {
            echo.Answer = _ => bytes;
            var error = await Assert.ThrowsAsync<MuxException>(() => ReadAllAsync(EchoAll(proxy, Items(Make(new Specimen())))));
            Assert.True((error.Status, error.Phase) == (MuxStatus.Internal, MuxCallPhase.Decode), $"{what}: {error}");
            echo.Answer = static message => message;
            await AssertWorksAsync(proxy);
        }

        AssertOneConnection(scene);
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_failure_arrives_though_its_detail_is_no_message()
    {
        var scene = Begin(TransportKind.InMemory);
        var echo = new RawEcho();
        var proxy = Connect<TContract>(scene, echo);
        await AssertWorksAsync(proxy);
        foreach (var bytes in Hostile.Values.Where(bytes => bytes.Length < 10_000)) // more does not fit into a failure
        {
            echo.Answer = _ => bytes;
            var error = await Assert.ThrowsAsync<MuxException>(() => Refuse(proxy, Make(new Specimen())).AsTask());
            Assert.Equal((MuxStatus.FailedPrecondition, null), (error.Status, error.Detail));
        }

        AssertOneConnection(scene);
    }

    [Fact(Timeout = TestLimit)]
    public async Task Random_requests_harm_nobody_else()
    {
        var random = new Random(TestSeed.Next());
        var scene = Begin(TransportKind.InMemory);
        var server = scene.StartServer(server => server.AddService<TContract>(new TEcho()), options => options.Limits.MisusedRequests = MuxLimit.Unbounded); // else the method rests for a second
        var channel = scene.CreateChannel(server);
        var (raw, proxy) = (channel.CreateProxy<IRawEcho>(), channel.CreateProxy<TContract>());
        for (int round = 0; round < 500; round++)
        {
            var bytes = new byte[random.Next(200)];
            random.NextBytes(bytes);
            var error = await Record.ExceptionAsync(() => raw.Echo(bytes).AsTask());
            Assert.True(error is null or MuxException { Status: MuxStatus.InvalidArgument, Execution: MuxExecution.NotExecuted }, $"round {round}: {Convert.ToHexString(bytes)}: {error}");
        }

        await AssertWorksAsync(proxy);
        AssertOneConnection(scene);
    }

    private static TProxy Connect<TProxy>(Scene scene, object echo)
        where TProxy : class
    {
        var server = scene.StartServer(server => _ = echo is RawEcho raw ? server.AddService<IRawEcho>(raw) : server.AddService<TContract>((TContract)echo));
        return scene.CreateChannel(server).CreateProxy<TProxy>();
    }

    private async Task AssertWorksAsync(TContract proxy)
    {
        var sent = Make(Specimens.All["all bytes"]);
        Assert.Equal(Describe(sent).ToString(), Describe(await Echo(proxy, sent)).ToString());
    }

    private static void AssertOneConnection(Scene scene) => Assert.Equal(1, scene.Transport.Dialed.Count);

    private static async IAsyncEnumerable<T> Items<T>(params T[] items)
    {
        foreach (var item in items) yield return item;
        await Task.CompletedTask;
    }

    private static async Task ReadAllAsync<T>(IAsyncEnumerable<T> items)
    {
        await foreach (var _ in items.WithCancellation(Token))
        {
        }
    }
}
