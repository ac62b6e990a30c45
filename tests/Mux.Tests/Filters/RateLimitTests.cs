using System.Security.Cryptography;
using System.Threading.RateLimiting;
using Mux.Identity;
using Mux.RateLimiting;
using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Transports;
using Mux.Tests.Contracts;
using Mux.Tests.EndToEnd;

namespace Mux.Tests.Filters;

/// <summary>Rate limits of callers.</summary>
public sealed class RateLimitTests : EndToEndTests
{
    private static readonly SharedKey s_ann = new("ann", RandomNumberGenerator.GetBytes(32));
    private static readonly SharedKey s_bob = new("bob", RandomNumberGenerator.GetBytes(32));

    [Fact(Timeout = TestLimit)]
    public async Task Each_user_has_a_limit_and_learns_when_to_call_again()
    {
        using var filter = MuxRateLimitFilter.PerCaller(static caller => RateLimitPartition.GetFixedWindowLimiter(caller, static _ => new FixedWindowRateLimiterOptions
        {
            PermitLimit = 2,
            Window = TimeSpan.FromHours(1),
        }));
        var desk = new Desk();
        var scene = Begin(TransportKind.InMemory);
        var server = scene.StartServer(server => server.AddService<IDesk>(desk), options =>
        {
            options.Identity = new MuxIdentityOptions { SharedKeys = { s_ann, s_bob } };
            options.Filters.Add(filter);
        });
        var (ann, again, bob) = (Connect(scene, server, s_ann), Connect(scene, server, s_ann), Connect(scene, server, s_bob));
        await ann.AskPlainly(new());
        await again.AskPlainly(new());
        var error = await Assert.ThrowsAsync<MuxException>(() => ann.AskPlainly(new()).AsTask().Within("a call above the limit"));
        Assert.Equal((MuxStatus.ResourceExhausted, MuxExecution.NotExecuted), (error.Status, error.Execution));
        Assert.InRange(error.RetryAfter!.Value, TimeSpan.FromMinutes(50), TimeSpan.FromHours(1));
        await bob.AskPlainly(new());
        Assert.Equal(3, desk.Started.Count);
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_permit_is_held_until_the_call_has_ended()
    {
        using var filter = MuxRateLimitFilter.PerCaller(static caller =>
            RateLimitPartition.GetConcurrencyLimiter(caller, static _ => new ConcurrencyLimiterOptions { PermitLimit = 1 }));
        var service = new Mixed();
        var ending = new EndingFilter();
        var sut = FilterScene.Start<IMixed>(Begin(TransportKind.InMemory), service, [ending, filter], []);
        using var source = new CancellationTokenSource();
        var first = Mixed.CallUntilAsync(sut, "List", "wait", source.Token);
        await service.Started.ReachAsync(1);
        await Assert.ThrowsAsync<MuxException>(() => Mixed.CallAsync(sut, "Ask").Within("a second call"));
        await source.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => first.Within("the first call"));
        await ending.ReachAsync(2); // the filter outside the limiter: the permit is back by then
        await Mixed.CallAsync(sut, "Ask").Within("a call after the first");
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task An_anonymous_caller_is_its_address_without_the_port(TransportKind kind)
    {
        var keys = new List<string>();
        var sut = FilterScene.Start<IMixed>(Begin(kind), new Mixed(), [new FilterOf((call, next) =>
        {
            keys.Add(MuxCallerKey.Of(call));
            return next.RunAsync(call);
        })], []);
        await Mixed.CallAsync(sut, "Ask").Within("a call");
        Assert.StartsWith("address ", Assert.Single(keys), StringComparison.Ordinal);
        if (kind is TransportKind.Epoll or TransportKind.Tcp or TransportKind.Tls) Assert.Equal("address 127.0.0.1", keys[0]);
    }

    private static IDesk Connect(Scene scene, MuxServer server, SharedKey key) =>
        scene.CreateChannel(server, options => options.Credentials = new SharedKeyCredentials(key)).CreateProxy<IDesk>();
}
