using System.Text;

namespace Mux.Discovery.Etcd.Tests;

/// <summary>The values of keys.</summary>
public sealed class EndpointValueTests
{
    [Fact]
    public void A_value_is_read_as_it_was_written()
    {
        var endpoint = new MuxEndpoint(MuxAddress.Parse("muxs://10.0.0.7:7070")) { Zone = "eu-\"1a\"", Weight = 7, Instance = "a-1" };
        Assert.True(EndpointValue.TryRead(EndpointValue.Write(endpoint), "a-1", out var read, out _));
        Assert.Equal(endpoint, read);
        Assert.Equal("""{"address":"mux://h:1","weight":100}""", Encoding.UTF8.GetString(EndpointValue.Write(new MuxEndpoint(MuxAddress.Parse("mux://h:1")))));
    }

    [Theory]
    [InlineData("""{"address":"mux://h:1"}""", null, 100)]
    [InlineData("""{"address":"mux://h:1","zone":null,"weight":null}""", null, 100)]
    [InlineData("""{"address":"mux://h:1","zone":"z","weight":10000,"later":{"a":[1]}}""", "z", 10_000)]
    public void What_is_not_there_has_its_default_and_what_is_unknown_is_ignored(string json, string? zone, int weight)
    {
        Assert.True(EndpointValue.TryRead(Encoding.UTF8.GetBytes(json), "a", out var read, out var error), error);
        Assert.Equal(("mux://h:1", zone, weight, "a"), (read.Address.ToString(), read.Zone, read.Weight, read.Instance));
    }

    [Theory]
    [InlineData("", "its value is not JSON such as")]
    [InlineData("10.0.0.7:7070", "its value is not JSON such as")]
    [InlineData("{\"address\":\"mux://h:1\"", "its value is not JSON such as")]
    [InlineData("null", "its value has no \"address\"")]
    [InlineData("{}", "its value has no \"address\"")]
    [InlineData("{\"address\":5}", "its value is not JSON such as")]
    [InlineData("{\"address\":\"tcp://secret\"}", "its \"address\" is not one such as mux://host:port")]
    [InlineData("{\"address\":\"mux://h:0\"}", "its \"address\" has the port 0")]
    [InlineData("{\"address\":\"mux://h:1\",\"weight\":0}", "its \"weight\" is 0: expected 1 to 10000")]
    [InlineData("{\"address\":\"mux://h:1\",\"weight\":10001}", "its \"weight\" is 10001: expected 1 to 10000")]
    public void Why_a_value_cannot_be_read_is_said_without_repeating_it(string json, string expected)
    {
        Assert.False(EndpointValue.TryRead(Encoding.UTF8.GetBytes(json), "a", out _, out var error));
        Assert.Contains(expected, error, StringComparison.Ordinal);
        Assert.DoesNotContain("secret", error, StringComparison.Ordinal);
    }
}
