using Mux.Discovery;

namespace Mux.Core.Tests.Discovery;

/// <summary>All servers of a service at one moment, as sources put them together.</summary>
public sealed class EndpointSetTests
{
    private static readonly MuxAddress s_first = MuxAddress.Parse("mux://a:1"), s_second = MuxAddress.Parse("mux://b:1");

    private static readonly MuxEndpoint s_light = new(s_first) { Weight = 10 }, s_heavy = new(s_first) { Weight = 500 };

    private static readonly MuxEndpoint s_leaving = new(s_first) { IsLeaving = true }, s_leavingLast = new(s_first) { IsLeaving = true, Zone = "last" };

    [Fact]
    public void Of_entries_with_one_address_the_last_that_stays_counts_at_the_place_of_the_first()
    {
        Check([s_light, s_heavy], s_heavy);
        Check([s_light, s_leaving], s_light);
        Check([s_leaving, s_light], s_light);
        Check([s_leaving, s_leavingLast], s_leavingLast);
        Check([s_light, s_leaving, s_heavy, s_leavingLast], s_heavy);

        static void Check(MuxEndpoint[] entries, MuxEndpoint expected)
        {
            var other = new MuxEndpoint(s_second);
            Assert.Equal<MuxEndpoint>([expected, other], [.. new EndpointSet([.. entries, other])]);
        }
    }

    [Fact]
    public void Sets_are_equal_if_their_endpoints_are_in_any_order()
    {
        var other = new MuxEndpoint(s_second);
        EndpointSet sut = new([s_light, other]), turned = new([other, s_light]);
        Assert.Equal((true, sut.GetHashCode()), (sut.Equals(turned), turned.GetHashCode()));
        Assert.NotEqual(sut, new EndpointSet([s_heavy, other]));
        Assert.NotEqual(sut, new EndpointSet([s_light]));
        Assert.NotEqual(sut, EndpointSet.Empty);
    }
}
