using System.Globalization;
using System.Text;
using Mux.Contracts;

namespace Mux.Core.Tests.Balancing;

/// <summary>The hash of each form of a key is that of its text, as an implementation in another language computed it.</summary>
public sealed class KeyHashTests
{
    [Theory]
    [InlineData(42, 0x6DE6F5D076D742B9)]
    [InlineData(0, 0x633457081244AFEC)]
    [InlineData(-7, 0x0C4EC0C6AD41198F)]
    [InlineData(long.MaxValue, 0xD8AFFF7B1FB07EB3)]
    [InlineData(long.MinValue, 0x9E606AB2DD272C10)]
    public void An_integer_is_hashed_as_its_digits_whatever_the_culture(long key, ulong expected)
    {
        var before = CultureInfo.CurrentCulture;
        var odd = (CultureInfo)CultureInfo.InvariantCulture.Clone();
        odd.NumberFormat.NegativeSign = "minus";
        CultureInfo.CurrentCulture = odd;
        try
        {
            Assert.Equal(expected, KeyHash.Of(key));
        }
        finally
        {
            CultureInfo.CurrentCulture = before;
        }

        Assert.Equal(expected, KeyHash.Of(key.ToString(CultureInfo.InvariantCulture)));
        if (key >= 0) Assert.Equal(expected, KeyHash.Of((ulong)key));
    }

    [Fact]
    public void The_largest_integer_is_hashed_as_its_digits() => Assert.Equal(0x8D1F8F6D8DFA7C47, KeyHash.Of(ulong.MaxValue));

    [Fact]
    public void A_guid_is_hashed_as_its_36_characters_in_lower_case()
    {
        Assert.Equal(0xCE670D479BA1B90B, KeyHash.Of(Guid.Parse("00112233-4455-6677-8899-AABBCCDDEEFF")));
        Assert.Equal(0xCE670D479BA1B90B, KeyHash.Of("00112233-4455-6677-8899-aabbccddeeff"));
    }

    [Fact]
    public void A_text_is_hashed_as_its_bytes_in_UTF_8()
    {
        Assert.Equal(0x7A5D739997E9F1F2ul, KeyHash.Of("Zähler"));
        Assert.Equal(0x7A5D739997E9F1F2ul, KeyHash.Of(Encoding.UTF8.GetBytes("Zähler")));
        Assert.NotEqual(KeyHash.Of("k"), KeyHash.Of("K"));
    }

    [Fact]
    public void What_is_empty_is_no_key_and_a_key_is_never_0()
    {
        Assert.Equal<ulong>(0, KeyHash.Of(""));
        Assert.Equal<ulong>(0, KeyHash.Of(ReadOnlySpan<byte>.Empty));
        Assert.False(KeyHash.Of(0L) == 0);
        Assert.False(KeyHash.Of(Guid.Empty) == 0);
    }
}
