using System.Text;
using Mux.Contracts;

namespace Mux.Core.Tests.Balancing;

public sealed class StableHashTests
{
    /// <summary>Values of the reference implementation of XXH64, seed 0.</summary>
    [Theory]
    [InlineData("", 0xEF46DB3751D8E999)]
    [InlineData("a", 0xD24EC4F1A98C6E5B)]
    [InlineData("as", 0x1C330FB2D66BE179)]
    [InlineData("asd", 0x631C37CE72A97393)]
    [InlineData("asdf", 0x415872F599CEA71E)]
    [InlineData("Call me Ishmael. Some years ago--never mind how long precisely-", 0x02A2E85470D6FD96)]
    public void It_is_the_published_one(string text, ulong expected)
    {
        Assert.Equal(expected, StableHash.Of(text));
        Assert.Equal(expected, StableHash.Of(Encoding.UTF8.GetBytes(text)));
    }

    [Fact]
    public void A_long_text_has_the_hash_of_its_bytes()
    {
        string text = string.Concat(Enumerable.Repeat("Zähler ", 100));
        Assert.Equal(StableHash.Of(Encoding.UTF8.GetBytes(text)), StableHash.Of(text));
    }
}
