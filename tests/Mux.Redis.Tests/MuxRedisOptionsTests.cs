namespace Mux.Redis.Tests;

/// <summary>Options are checked when a backplane is created, and all that is wrong is named.</summary>
public sealed class MuxRedisOptionsTests
{
    [Theory]
    [InlineData("", "Configuration: it is empty. Expected host:port")]
    [InlineData("cache:6379,password=secret,sssl=true", "Configuration: it cannot be read.")]
    [InlineData("password=secret", "Configuration: it names no server.")]
    public void A_connection_string_that_is_wrong_is_not_repeated(string configuration, string expected)
    {
        var error = Fail(options => options.Configuration = configuration);
        Assert.Contains(expected, error, StringComparison.Ordinal);
        Assert.DoesNotContain("secret", error, StringComparison.Ordinal);
    }

    [Fact]
    public void Every_option_has_a_range_and_all_failures_are_named()
    {
        string error = Fail(options =>
        {
            options.Prefix = "a b";
            options.RetainFor = TimeSpan.Zero;
            options.Timeout = TimeSpan.FromMinutes(2);
            options.MaxQueuedMessages = 15;
            options.MaxQueuedBytes = 1;
        });
        Assert.Contains("Prefix: 'a b' is not allowed: expected 1 to 64 letters, digits", error, StringComparison.Ordinal);
        Assert.Contains("RetainFor: '00:00:00' is not allowed: expected 00:00:01 to 365.00:00:00.", error, StringComparison.Ordinal);
        Assert.Contains("Timeout: '00:02:00' is not allowed: expected 00:00:00.1 to 00:01:00.", error, StringComparison.Ordinal);
        Assert.Contains("MaxQueuedMessages: '15' is not allowed: expected 16 to 1000000 messages.", error, StringComparison.Ordinal);
        Assert.Contains("MaxQueuedBytes: '1' is not allowed: expected 65536 to 1073741824 bytes.", error, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_name_has_no_secret()
    {
        await using var sut = new RedisBackplane(new MuxRedisOptions { Configuration = "127.0.0.1:1,password=secret", Prefix = "shop" });
        Assert.Equal("redis://127.0.0.1:1/shop", sut.Name);
    }

    [Fact]
    public async Task Names_of_channels_have_a_length()
    {
        await using var sut = new RedisBackplane(new MuxRedisOptions { Configuration = "127.0.0.1:1" });
        Assert.Throws<ArgumentException>(() => sut.TrySend("", new byte[1]));
        Assert.Throws<ArgumentException>(() => sut.TryPublish(new string('a', 2_049), new byte[1], 0, 0));
    }

    private static string Fail(Action<MuxRedisOptions> configure)
    {
        var options = new MuxRedisOptions();
        configure(options);
        return Assert.Throws<ArgumentException>(() => new RedisBackplane(options)).Message;
    }
}
