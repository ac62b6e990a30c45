using Microsoft.Extensions.Logging.Abstractions;
using Mux.Calls;
using Mux.Contracts;
using Mux.TestSupport.Transports;
using Mux.Transports.InMemory;

namespace Mux.Core.Tests.Calls;

/// <summary>Which key the attempts of a call have, and which server they avoid.</summary>
public sealed class CallKeyTests
{
    private const ulong OfContract = 77;

    private readonly RouteSettings _settings = EngineSettings.Of(
        new MuxChannelOptions { Address = "mux://memory:1", Transport = new InMemoryTransport() }, NullLoggerFactory.Instance, MuxAddress.Parse("mux://memory:1")).Calls;

    private int _reads;

    private static CancellationToken Token => TestContext.Current.CancellationToken;

    [Fact]
    public async Task A_call_has_the_key_of_its_own_options_or_those_in_force()
    {
        var route = new KeyRecorder(_settings, usesKeys: true);
        var sut = new UnaryCaller<MuxUnit, MuxUnit>(Method(), route);

        await FailAsync(sut, new MuxCallOptions { Key = "own" });
        await FailAsync(sut, null); // with the object of the call before
        using (new MuxCallOptions { Key = "scope" }.Apply()) await FailAsync(sut, null);

        Assert.Equal([KeyHash.Of("own"), 0, KeyHash.Of("scope")], route.Keys);
    }

    [Fact]
    public async Task A_key_of_the_options_goes_before_that_of_the_contract_and_an_empty_one_is_none()
    {
        var route = new KeyRecorder(_settings, usesKeys: true);
        var sut = new UnaryCaller<MuxUnit, MuxUnit>(Method(ReadKey), route);

        await FailAsync(sut, null);
        await FailAsync(sut, new MuxCallOptions { Timeout = TimeSpan.FromMinutes(1) });
        await FailAsync(sut, new MuxCallOptions { Key = "own" });
        await FailAsync(sut, new MuxCallOptions { Key = "" });

        Assert.Equal([OfContract, OfContract, KeyHash.Of("own"), 0], route.Keys);
        Assert.Equal(2, _reads);
    }

    [Fact]
    public async Task A_route_to_one_address_reads_no_key()
    {
        var route = new KeyRecorder(_settings, usesKeys: false);
        await FailAsync(new UnaryCaller<MuxUnit, MuxUnit>(Method(ReadKey), route), null);
        await FailAsync(new UnaryCaller<MuxUnit, MuxUnit>(Method(ReadKey), route), new MuxCallOptions { Key = "own" });
        await FailAsync(new HedgedCaller<MuxUnit, MuxUnit>(Method(ReadKey), route), null);
        Assert.Equal([0, 0, 0], route.Keys);
        Assert.Equal(0, _reads);
    }

    [Fact]
    public async Task A_call_that_is_sent_again_keeps_its_key()
    {
        var route = new KeyRecorder(_settings, usesKeys: true) { Repeats = 2 };
        await FailAsync(new UnaryCaller<MuxUnit, MuxUnit>(Method(ReadKey), route), null);
        Assert.Equal([OfContract, OfContract, OfContract], route.Keys);
        Assert.Equal(1, _reads);
    }

    [Fact]
    public async Task Both_copies_of_a_hedged_call_have_its_key_and_the_second_avoids_the_server_of_the_first()
    {
        var route = new KeyRecorder(_settings, usesKeys: true) { Holds = true };
        var method = Method(ReadKey);
        for (int i = 0; i < HedgeDelay.LeastSamples; i++) route.TimesOf(method.Descriptor).Add(1);

        var call = new HedgedCaller<MuxUnit, MuxUnit>(method, route).CallAsync(default, Token).AsTask();
        await route.Started.ReachAsync(2);
        route.FailHeld();

        await Assert.ThrowsAsync<MuxException>(() => call.Within("the failure"));
        Assert.Equal([OfContract, OfContract], route.Keys);
        Assert.Equal([null, "nowhere"], route.Avoided);
        Assert.Equal(1, _reads);
    }

    [Fact]
    public async Task A_stream_has_the_key_of_its_arguments()
    {
        var route = new KeyRecorder(_settings, usesKeys: true);
        var descriptor = new MethodDescriptor("test", "Stream", MethodShape.ResponseStream, takesToken: false);
        var method = new StreamMethod<MuxUnit, MuxUnit, MuxUnit>(descriptor, new EmptyCodec("request"), new EmptyCodec("item"), new EmptyCodec("reply")) { KeyOf = ReadKey };
        var sut = new StreamStarter<MuxUnit, MuxUnit, MuxUnit>(method, route);

        await FailAsync(null);
        await FailAsync(new MuxCallOptions { Key = "own" });

        Assert.Equal([OfContract, KeyHash.Of("own")], route.Keys);

        async Task FailAsync(MuxCallOptions? options) =>
            await Assert.ThrowsAsync<MuxException>(async () => await sut.Call(default, null, options, Token).GetAsyncEnumerator(Token).MoveNextAsync());
    }

    [Fact]
    public async Task A_key_that_throws_fails_its_call_before_anything_is_sent()
    {
        var route = new KeyRecorder(_settings, usesKeys: true);
        var sut = new UnaryCaller<MuxUnit, MuxUnit>(Method(static (in MuxUnit _) => throw new InvalidOperationException("no customer")), route);

        var error = await FailAsync(sut, null);

        Assert.Equal((MuxStatus.Internal, MuxExecution.NotExecuted, MuxCallPhase.Encode), (error.Status, error.Execution, error.Phase));
        Assert.Contains("no customer", error.Message, StringComparison.Ordinal);
        Assert.Empty(route.Keys);
    }

    private static UnaryMethod<MuxUnit, MuxUnit> Method(RequestKey<MuxUnit>? keyOf = null) => new(
        new MethodDescriptor("test", "Keyed", MethodShape.Unary, takesToken: false) { Choices = new MethodChoices { Idempotent = true } },
        new EmptyCodec("request"),
        new EmptyCodec("reply"),
        static (_, _, _, _) => default)
    { KeyOf = keyOf };

    private static Task<MuxException> FailAsync(MethodCaller<MuxUnit, MuxUnit> sut, MuxCallOptions? options) =>
        Assert.ThrowsAsync<MuxException>(async () => await sut.CallAsync(default, options, Token));

    private ulong ReadKey(in MuxUnit request)
    {
        _reads++;
        return OfContract;
    }
}
