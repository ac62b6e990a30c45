using Mux.Generators.Tests.Contracts;

namespace Mux.Generators.Tests.Codecs;

/// <summary>The two messages of the million-calls program, whose sizes every figure of the project rests on.</summary>
public sealed class SeedMessageTests
{
    private const double Time = 1.5;
    private const string TimeHex = "000000000000f83f";

    private static readonly ContractCodecs<IDirectory> s_codecs = new();

    [Theory]
    [InlineData(0, 0.0, "")]
    [InlineData(1, 0.0, "0801")]
    [InlineData(0, Time, "11" + TimeHex)]
    [InlineData(1, Time, "080111" + TimeHex)]
    [InlineData(128, Time, "08800111" + TimeHex)]
    [InlineData(16383, Time, "08ff7f11" + TimeHex)]
    [InlineData(-1, Time, "08ffffffffffffffffff0111" + TimeHex)]
    public void A_request_takes_its_exact_bytes(int id, double time, string hex)
    {
        var bytes = s_codecs.Request("Search").Encode(new SearchEmployee { Id = id, RequestTime = time });
        Assert.Equal(hex, Convert.ToHexStringLower(bytes));
    }

    [Theory]
    [InlineData(0.0, "08011207446176" + "6f6c696f1a054e616e637922026a612a0753656174746c65320257413a03555341")]
    [InlineData(Time, "08011207446176" + "6f6c696f1a054e616e637922026a612a0753656174746c65320257413a0355534141" + TimeHex)]
    public void A_reply_takes_its_exact_bytes(double time, string hex)
    {
        var employee = new Employee
        {
            EmployeeId = 1,
            LastName = "Davolio",
            FirstName = "Nancy",
            Title = "ja",
            City = "Seattle",
            Region = "WA",
            Country = "USA",
            RequestTime = time,
        };
        var bytes = s_codecs.Response("Search").Encode(employee);
        Assert.Equal(hex, Convert.ToHexStringLower(bytes));
        Assert.Equivalent(employee, s_codecs.Response("Search").Decode(bytes));
    }
}
