using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Transports;

namespace Mux.Tests.Ordering;

/// <summary>Keys that throw when they are read: the call fails unexecuted, on the side where it happens, and no other call waits for it.</summary>
public sealed class FailingKeyTests : EndToEndTests
{
    private static CancellationToken Token => TestContext.Current.CancellationToken;

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task A_key_that_throws_fails_its_call_alone_at_the_client_and_at_the_server(TransportKind kind)
    {
        const int Calls = 30;
        var scene = Begin(kind);
        scene.ExpectedErrors.Add("RequestUndecodable");
        var channel = scene.CreateChannel(scene.StartServer(static server => server.AddService<IParcels>(new Parcels())));
        var (keyed, plain) = (channel.CreateProxy<IParcels>(), channel.CreateProxy<IPlainParcels>());
        var calls = Enumerable.Range(0, Calls).Select(i =>
        {
            int number = i % 3 == 0 ? -i - 1 : i;
            return i % 2 == 0
                ? (Number: number, Call: keyed.Send(new Parcel { Number = number }, Token).AsTask(), Status: MuxStatus.Internal)
                : (Number: number, Call: plain.Send(new PlainParcel { Number = number }, Token).AsTask(), Status: MuxStatus.InvalidArgument);
        }).ToList();
        foreach (var (number, call, status) in calls)
        {
            if (number >= 0)
            {
                Assert.Equal(number, await call.Within("a call with a key"));
                continue;
            }

            var failure = await Assert.ThrowsAsync<MuxException>(() => call.Within("a call whose key throws"));
            Assert.Equal((status, MuxExecution.NotExecuted), (failure.Status, failure.Execution));
        }

        Assert.Equal(5, await plain.Send(new PlainParcel { Number = 5 }, Token).AsTask().Within("a call after them on the same connection"));
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
