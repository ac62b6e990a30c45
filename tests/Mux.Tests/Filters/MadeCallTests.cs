using Mux.Client;
using Mux.Filters;
using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Transports;
using Mux.Tests.Contracts;
using Mux.Tests.EndToEnd;

namespace Mux.Tests.Filters;

/// <summary>What filters see of calls that are made, and until when they can change a call.</summary>
public sealed class MadeCallTests : EndToEndTests
{
    private readonly Mixed _service = new();

    [Fact(Timeout = TestLimit)]
    public async Task The_time_of_a_call_is_its_timeout_or_what_the_handler_that_makes_it_has_left()
    {
        var lefts = new List<TimeSpan?>();
        IMixed? sut = null;
        var desk = new Desk
        {
            OnAsk = async (_, token) =>
            {
                using var scope = new MuxCallOptions { Timeout = TimeSpan.FromHours(1) }.Apply();
                return await sut!.Ask(new(), cancellationToken: token);
            },
        };
        var scene = Begin(TransportKind.InMemory);
        var server = scene.StartServer(server => server.AddService<IDesk>(desk).AddService<IMixed>(_service));
        sut = scene.CreateChannel(server, options => options.Filters.Add(new FilterOf(async (call, next) =>
        {
            await Task.Yield();
            lefts.Add(call.TimeLeft);
            await next.RunAsync(call);
        }))).CreateProxy<IMixed>();
        var outer = scene.CreateChannel(server).CreateProxy<IDesk>();
        using (new MuxCallOptions { Timeout = TimeSpan.FromMinutes(1) }.Apply()) await Mixed.CallAsync(sut, "Ask").Within("a call of its own");
        using (new MuxCallOptions { Timeout = TimeSpan.FromMinutes(2) }.Apply()) await outer.AskPlainly(new()).AsTask().Within("a call in a handler");
        Assert.Equal(TimeSpan.FromMinutes(1), lefts[0]); // the time of the filter does not count
        Assert.InRange(lefts[1]!.Value, TimeSpan.Zero, TimeSpan.FromMinutes(2));
    }

    [Fact(Timeout = TestLimit)]
    public async Task The_other_side_is_the_address_of_a_channel_or_its_name_if_a_source_finds_its_servers()
    {
        var peers = new List<string>();
        var filter = new FilterOf((call, next) =>
        {
            peers.Add(call.Peer);
            return next.RunAsync(call);
        });
        var scene = Begin(TransportKind.Tcp);
        var server = scene.StartServer(server => server.AddService<IMixed>(_service));
        await Mixed.CallAsync(scene.CreateChannel(server, options => options.Filters.Add(filter)).CreateProxy<IMixed>(), "Ask").Within("a call");
        await Mixed.CallAsync(scene.CreateChannel(server, options =>
        {
            options.Filters.Add(filter);
            (options.Name, options.Endpoints) = ("orders", new FixedEndpoints("test", [server.Address]));
        }).CreateProxy<IMixed>(), "Ask").Within("a call to a server of a source");
        Assert.Equal([server.Address.ToString(), "orders"], peers);
    }

    [Theory(Timeout = TestLimit), InlineData(MuxCallSide.Server), InlineData(MuxCallSide.Client)]
    public async Task A_change_of_a_call_that_has_started_is_rejected(MuxCallSide side)
    {
        var texts = new List<string>();
        MuxFilter[] filters = [new FilterOf(async (call, next) =>
        {
            await next.RunAsync(call);
            Note(() => call.SetRequest(new Question()));
            Note(() => call.SetRequest<object>(new Question()));
            if ((call.Method.Shape & Mux.Contracts.MethodShape.RequestStream) != 0) Note(() => call.TryWrapRequestStream<Question>(static items => items));
            else Assert.False(call.TryWrapRequestStream<Question>(static items => items));
            if ((call.Method.Shape & Mux.Contracts.MethodShape.ResponseStream) != 0) Note(() => call.TryWrapResponseStream<Answer>(static items => items));
            else Assert.False(call.TryWrapResponseStream<Answer>(static items => items));
            if (call.Side == MuxCallSide.Client) Note(() => call.Options = new());
        })];
        var sut = FilterScene.Start<IMixed>(
            Begin(TransportKind.InMemory), _service, side == MuxCallSide.Server ? filters : [], side == MuxCallSide.Client ? filters : []);
        foreach (var shape in Mixed.Answered)
        {
            await Mixed.CallAsync(sut, shape).Within(shape);
            Assert.All(texts, text => Assert.Equal($"The call of t.Mixed/{shape} has started: change it before MuxNext.RunAsync.", text));
            Assert.Equal((shape == "Ask" ? 2 : shape == "Talk" ? 4 : 3) + (side == MuxCallSide.Client ? 1 : 0), texts.Count);
            texts.Clear();
        }

        void Note(Action change) => texts.Add(Assert.Throws<InvalidOperationException>(change).Message);
    }
}
