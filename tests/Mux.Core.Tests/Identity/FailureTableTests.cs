using Mux.Server;

namespace Mux.Core.Tests.Identity;

/// <summary>Who failed too often.</summary>
public sealed class FailureTableTests
{
    private const long Second = 1_000_000;

    private readonly FailureTable _sut = new();

    [Fact]
    public void The_sixth_failure_of_an_address_within_a_minute_is_one_too_many_whatever_its_port()
    {
        for (int i = 0; i < 5; i++) Assert.False(_sut.Add($"10.0.0.7:{5000 + i}", i * Second));
        Assert.True(_sut.Add("10.0.0.7:6000", 59 * Second));
        Assert.False(_sut.Add("10.0.0.8:6000", 59 * Second));
    }

    [Fact]
    public void A_minute_later_an_address_begins_anew()
    {
        for (int i = 0; i < 10; i++) _sut.Add("10.0.0.7:5000", 0);
        Assert.False(_sut.Add("10.0.0.7:5000", 60 * Second));
    }

    [Fact]
    public void All_addresses_of_an_IPv6_network_are_one_and_one_of_IPv4_is_itself_in_either_form()
    {
        for (int i = 0; i < 5; i++) _sut.Add($"[2001:db8:1:2::{i}]:5000", 0);
        Assert.True(_sut.Add("[2001:db8:1:2:ffff::1]:5000", 0));
        Assert.False(_sut.Add("[2001:db8:1:3::1]:5000", 0));
        for (int i = 0; i < 5; i++) _sut.Add("10.0.0.7:5000", 0);
        Assert.True(_sut.Add("[::ffff:10.0.0.7]:5000", 0));
    }

    [Fact]
    public void What_is_no_address_counts_by_its_text()
    {
        for (int i = 0; i < 5; i++) Assert.False(_sut.Add(string.Empty, 0));
        Assert.True(_sut.Add(string.Empty, 0));
    }

    [Fact]
    public void However_many_addresses_fail_the_table_stays_as_small_as_it_is()
    {
        for (int i = 0; i < 20_000; i++) _sut.Add($"10.{i >> 16}.{(i >> 8) & 255}.{i & 255}:1", i);
        Assert.Equal(FailureTable.MaxAddresses, _sut.Count);
        for (int i = 0; i < 5; i++) _sut.Add("10.9.9.9:1", 20_000);
        Assert.True(_sut.Add("10.9.9.9:1", 20_000));
    }
}
