using Microsoft.Extensions.Logging;
using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Transports;
using Mux.Tests.EndToEnd;

namespace Mux.Tests.Ordering;

/// <summary>Keys that throw when they are read: the call fails unexecuted, on the side where it happens, whose fault it is, and no other call waits for it.</summary>
public sealed class FailingKeyTests : EndToEndTests
{
    private static CancellationToken Token => TestContext.Current.CancellationToken;

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task A_key_that_throws_fails_its_call_alone_at_the_client_and_at_the_server(TransportKind kind)
    {
        const int Calls = 30;
        var scene = Begin(kind);
        scene.ExpectedErrors.Add("KeyFailed");
        var channel = scene.CreateChannel(scene.StartServer(static server => server.AddService<IParcels>(new Parcels())));
        var (keyed, plain) = (channel.CreateProxy<IParcels>(), channel.CreateProxy<IPlainParcels>());
        var calls = Enumerable.Range(0, Calls).Select(i =>
        {
            int number = i % 3 == 0 ? -i - 1 : i;
            return i % 2 == 0
                ? (Number: number, Call: keyed.Send(new Parcel { Number = number }, Token).AsTask(), Phase: MuxCallPhase.Encode)
                : (Number: number, Call: plain.Send(new PlainParcel { Number = number }, Token).AsTask(), Phase: MuxCallPhase.Dispatch);
        }).ToList();
        foreach (var (number, call, phase) in calls)
        {
            if (number >= 0)
            {
                Assert.Equal(number, await call.Within("a call with a key"));
                continue;
            }

            var failure = await Assert.ThrowsAsync<MuxException>(() => call.Within("a call whose key throws"));
            Assert.Equal((MuxStatus.Internal, MuxExecution.NotExecuted, phase), (failure.Status, failure.Execution, failure.Phase));
            if (phase == MuxCallPhase.Dispatch) Assert.DoesNotContain("street", failure.Message, StringComparison.OrdinalIgnoreCase);
        }

        Assert.Equal(5, await plain.Send(new PlainParcel { Number = 5 }, Token).AsTask().Within("a call after them on the same connection"));
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task The_log_of_the_server_names_the_property_and_the_caller_learns_it_if_errors_are_detailed(TransportKind kind)
    {
        var scene = Begin(kind);
        scene.ExpectedErrors.Add("KeyFailed");
        var server = scene.StartServer(static server => server.AddService<IParcels>(new Parcels()), static options => options.DetailedErrors = true);
        var sut = scene.CreateChannel(server).CreateProxy<IPlainParcels>();

        var failure = await sut.Send(new PlainParcel { Number = -1 }, Token).FailsAsync(MuxStatus.Internal, MuxExecution.NotExecuted, MuxCallPhase.Dispatch);

        const string Name = $"{nameof(Parcel)}.{nameof(Parcel.Street)}";
        Assert.Contains(Name, failure.Message, StringComparison.Ordinal);
        Assert.Contains("It has no street.", failure.Message, StringComparison.Ordinal);
        var entry = Assert.Single(await scene.Logs.ReachAsync("KeyFailed"));
        Assert.Equal((LogLevel.Error, "It has no street."), (entry.Level, entry.Error!.Message));
        Assert.Contains(Name, entry.Text, StringComparison.Ordinal);
        Assert.Contains("test.Parcels/Send", entry.Text, StringComparison.Ordinal);
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task A_failure_that_the_property_chooses_reaches_the_caller(TransportKind kind)
    {
        var scene = Begin(kind);
        var sut = scene.CreateChannel(scene.StartServer(static server => server.AddService<IParcels>(new Parcels()))).CreateProxy<IPlainParcels>();

        var failure = await sut.Send(new PlainParcel { Number = -1_000 }, Token).FailsAsync(MuxStatus.NotFound, MuxExecution.NotExecuted, MuxCallPhase.Dispatch);

        Assert.Contains("Nobody knows the street.", failure.Message, StringComparison.Ordinal);
        Assert.Empty(scene.Logs.Of("KeyFailed"));
    }

    private sealed class Parcels : IParcels
    {
        public async ValueTask<int> Send(Parcel parcel, CancellationToken cancellationToken)
        {
            await Task.Yield();
            return parcel.Number;
        }
    }
}
