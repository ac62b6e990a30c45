using System.Security.Cryptography;
using Mux.Identity;
using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Transports;
using Mux.Tests.Contracts;
using Mux.Tests.EndToEnd;

namespace Mux.Tests.Filters;

/// <summary>What filters see of a call apart from its messages, and which calls reach them.</summary>
public sealed class FilterContextTests : EndToEndTests
{
    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task Filters_of_both_sides_pass_metadata_to_each_other_in_every_kind_of_call(TransportKind kind)
    {
        var received = new List<string?>();
        var sender = new FilterOf(async (call, next) =>
        {
            call.Metadata["tenant"] = call.Method.FullName;
            var answers = call.ResponseMetadata;
            await next.RunAsync(call);
            lock (received) received.Add(answers["served"]);
        });
        var receiver = new FilterOf(async (call, next) =>
        {
            call.ResponseMetadata["served"] = call.Metadata["tenant"]!;
            await next.RunAsync(call);
        });
        var sut = FilterScene.Start<IMixed>(Begin(kind), new Mixed(), [receiver], [sender]);
        foreach (var shape in Mixed.Answered) await Mixed.CallAsync(sut, shape).Within(shape);
        Assert.Equal(Mixed.Answered.Select(static shape => $"t.Mixed/{shape}"), received);
    }

    [Fact(Timeout = TestLimit)]
    public async Task Metadata_that_a_filter_adds_after_the_handler_reach_the_caller()
    {
        var desk = new Desk();
        var adding = new FilterOf(static async (call, next) =>
        {
            await next.RunAsync(call);
            call.ResponseMetadata["late"] = "yes";
        });
        var sut = FilterScene.Start<IDesk>(Begin(TransportKind.InMemory), desk, [adding], []);
        MuxMetadata answers = [];
        using var scope = new MuxCallOptions { ResponseMetadata = answers }.Apply();
        await sut.AskPlainly(new() { Id = 1 }).AsTask().Within("the call");
        Assert.Equal("yes", answers["late"]);
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_filter_of_a_channel_changes_its_call_and_not_the_options_of_the_caller()
    {
        MuxCallOptions? seen = null;
        var looking = new FilterOf((call, next) =>
        {
            seen = call.Options;
            Assert.Throws<InvalidOperationException>(() => call.Options = new());
            return next.RunAsync(call);
        });
        var changing = new FilterOf(static (call, next) =>
        {
            call.Options = new MuxCallOptions { Priority = MuxCallPriority.High, Metadata = call.Metadata };
            call.Metadata.Add("added", "1");
            return next.RunAsync(call);
        });
        var sut = FilterScene.Start<IMixed>(Begin(TransportKind.InMemory), new Mixed(), [looking], [changing]);
        var own = new MuxCallOptions { Metadata = new() { ["own"] = "2" }, Priority = MuxCallPriority.Low };
        await sut.Ask(new(), own, TestContext.Current.CancellationToken).AsTask().Within("the call");
        Assert.Equal((MuxCallPriority.High, "1", "2"), (seen!.Priority!.Value, seen.Metadata!["added"], seen.Metadata["own"]));
        Assert.Equal(1, own.Metadata!.Count);
    }

    [Fact(Timeout = TestLimit)]
    public async Task Filters_of_a_call_share_items_that_no_other_call_sees()
    {
        var counts = new List<int>();
        var first = new FilterOf(static (call, next) =>
        {
            Assert.Empty(call.Items);
            call.Items["key"] = call.Method;
            return next.RunAsync(call);
        });
        var second = new FilterOf((call, next) =>
        {
            counts.Add(call.Items.Count);
            Assert.Same(call.Method, call.Items["key"]);
            return next.RunAsync(call);
        });
        var sut = FilterScene.Start<IMixed>(Begin(TransportKind.InMemory), new Mixed(), [first, second], []);
        for (int i = 0; i < 10; i++) await Mixed.CallAsync(sut, "Ask").Within("a call");
        Assert.All(counts, static count => Assert.Equal(1, count));
        Assert.Equal(10, counts.Count);
    }

    [Fact(Timeout = TestLimit)]
    public async Task Refused_calls_reach_no_filter()
    {
        var key = new SharedKey("clerk-1", RandomNumberGenerator.GetBytes(32), "clerk");
        var (server, client) = (new EndingFilter(), new EndingFilter());
        var scene = Begin(TransportKind.InMemory);
        var running = scene.StartServer(server => server.AddService<IGuarded>(new Guarded()).AddService<IMixed>(new Mixed()), options =>
        {
            options.Identity = new MuxIdentityOptions { SharedKeys = { key }, Policies = { ["adult"] = static _ => false } };
            options.Filters.Add(server);
        });
        var channel = scene.CreateChannel(running, options =>
        {
            options.Credentials = new SharedKeyCredentials(key);
            options.Filters.Add(client);
        });
        await Assert.ThrowsAsync<MuxException>(() => channel.CreateProxy<IDesk>().AskPlainly(new()).AsTask().Within("an unknown method"));
        await Assert.ThrowsAsync<MuxException>(() => channel.CreateProxy<IGuarded>().Sign(1).AsTask().Within("a method that the caller may not call"));
        Assert.Empty(server.Endings);
        Assert.Equal([MuxStatus.Unimplemented, MuxStatus.PermissionDenied], client.Endings.Select(static ending => ending.Status!.Value));
        Assert.Equal(1, await channel.CreateProxy<IGuarded>().File(1).AsTask().Within("a method that it may call"));
        Assert.Equal("test.Guarded/File", Assert.Single(server.Endings).Method);
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_call_that_is_cancelled_while_it_waits_for_room_reaches_no_filter()
    {
        var filter = new EndingFilter();
        var service = new Mixed();
        var scene = Begin(TransportKind.InMemory);
        var server = scene.StartServer(server => server.AddService<IMixed>(service), options =>
        {
            options.Limits.MaxHandlers = 1;
            options.Filters.Add(filter);
        });
        var sut = scene.CreateChannel(server).CreateProxy<IMixed>();
        using var source = new CancellationTokenSource();
        var first = Mixed.CallUntilAsync(sut, "Ask", "wait", source.Token);
        await service.Started.ReachAsync(1);
        using var sourceOfSecond = new CancellationTokenSource();
        var second = Mixed.CallUntilAsync(sut, "Ask", null, sourceOfSecond.Token);
        await sourceOfSecond.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => second.Within("a call above the limit"));
        Assert.Empty(filter.Endings);
        await source.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => first.Within("the first call"));
        await Mixed.CallAsync(sut, "Ask").Within("a call after them");
        await filter.ReachAsync(2);
        Assert.Equal(2, filter.Begun);
    }

    [Fact(Timeout = TestLimit)]
    public async Task The_filters_of_a_channel_run_once_around_all_attempts()
    {
        int calls = 0, attempts = 0;
        var desk = new Desk
        {
            OnAsk = (question, _) => Interlocked.Increment(ref attempts) < 3
                ? throw new MuxException(MuxStatus.Unavailable, "not yet")
                : new ValueTask<Answer>(new Answer { Id = question.Id }),
        };
        var scene = Begin(TransportKind.InMemory);
        var server = scene.StartServer(server => server.AddService<IDesk>(desk));
        var sut = scene.CreateChannel(server, options =>
        {
            options.Resilience.Attempts = 3;
            options.Filters.Add(new FilterOf((call, next) =>
            {
                calls++;
                return next.RunAsync(call);
            }));
        }).CreateProxy<IDesk>();
        using var scope = new MuxCallOptions { Idempotent = true }.Apply();
        Assert.Equal(5, (await sut.AskPlainly(new() { Id = 5 }).AsTask().Within("the call")).Id);
        Assert.Equal((1, 3), (calls, attempts));
    }
}
