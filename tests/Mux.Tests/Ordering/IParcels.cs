using System.Runtime.Serialization;

namespace Mux.Tests.Ordering;

/// <summary>Calls whose key is computed.</summary>
[MuxService("test.Parcels", Dispatch = MuxDispatchMode.Ordered, TimeoutMilliseconds = 60_000)]
public interface IParcels
{
    ValueTask<int> Send(Parcel parcel, CancellationToken cancellationToken = default);
}

/// <summary>The same service as a client sees it that knows of no keys.</summary>
[MuxService("test.Parcels")]
public interface IPlainParcels
{
    ValueTask<int> Send(PlainParcel parcel, CancellationToken cancellationToken = default);
}

[DataContract]
public sealed class Parcel
{
    [DataMember(Order = 1)]
    public int Number { get; set; }

    [MuxKey]
    public string Street => Number switch
    {
        >= 0 => $"street {Number % 3}",
        > -1_000 => throw new InvalidOperationException("It has no street."),
        _ => throw new MuxException(MuxStatus.NotFound, "Nobody knows the street."),
    };
}

[DataContract]
public sealed class PlainParcel
{
    [DataMember(Order = 1)]
    public int Number { get; set; }
}
