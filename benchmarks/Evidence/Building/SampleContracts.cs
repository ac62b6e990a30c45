using System.Globalization;
using System.Text;

namespace Evidence.Building;

/// <summary>The sources of a project with many contracts: each with five methods, a request and a reply of its own, and a message that all share.</summary>
internal static class SampleContracts
{
    /// <summary>What a file with contracts names.</summary>
    public const string Usings = """
        using System;
        using System.Collections.Generic;
        using System.Runtime.Serialization;
        using System.Threading;
        using System.Threading.Tasks;
        using Mux;


        """;

    private const string Shared = """
        namespace Shop;

        [DataContract]
        public sealed class Address
        {
            [DataMember(Order = 1)] public string? Street { get; set; }
            [DataMember(Order = 2)] public string? City { get; set; }
            [DataMember(Order = 3)] public int Number { get; set; }
        }
        """;

    private const string Contract = """
        namespace Shop.Area@area;

        [DataContract]
        public sealed class Request@
        {
            [DataMember(Order = 1)] public int Id { get; set; }
            [DataMember(Order = 2)] public long Version { get; set; }
            [DataMember(Order = 3)] public string? Name { get; set; }
            [DataMember(Order = 4)] public double Price { get; set; }
            [DataMember(Order = 5)] public bool IsUrgent { get; set; }
            [DataMember(Order = 6)] public List<int> Numbers { get; set; } = new();
            [DataMember(Order = 7)] public Address? Address { get; set; }
            [DataMember(Order = 8)] public DayOfWeek Day { get; set; }
        }

        [DataContract]
        public sealed record Reply@(
            [property: DataMember(Order = 1)] int Id,
            [property: DataMember(Order = 2)] string? Text,
            [property: DataMember(Order = 3)] byte[]? Content,
            [property: DataMember(Order = 4)] List<string>? Names,
            [property: DataMember(Order = 5)] List<Address>? Addresses,
            [property: DataMember(Order = 6)] long? Total);

        [MuxService("shop.Service@")]
        public interface IService@
        {
            ValueTask<Reply@> FindAsync(Request@ request, CancellationToken cancellationToken = default);

            ValueTask<int> CountAsync(string name, int from, CancellationToken cancellationToken = default);

            IAsyncEnumerable<Reply@> ListAsync(Request@ request, CancellationToken cancellationToken = default);

            Task StoreAsync(Address address, CancellationToken cancellationToken = default);

            [MuxMethod(OneWay = true)]
            ValueTask NoteAsync(string text, CancellationToken cancellationToken = default);
        }
        """;

    /// <summary>A file that no contract looks at.</summary>
    public static string Other(int edit) => $"namespace Shop; internal static class Other {{ internal const int Edit = {edit}; }}";

    /// <summary>One file per contract, behind one for all.</summary>
    public static IEnumerable<string> Files(int contracts) => Enumerable.Range(0, contracts).Select(Of).Prepend(Usings + Shared);

    /// <summary>The file of one contract.</summary>
    public static string Of(int contract)
    {
        var number = contract.ToString(CultureInfo.InvariantCulture);
        var area = (contract % 20).ToString(CultureInfo.InvariantCulture);
        return new StringBuilder(Usings).Append(Contract).Replace("@area", area).Replace("@", number).ToString();
    }
}
