using System.Runtime.Serialization;

namespace Mux.Description.Tests.Circles
{
    [MuxService("circles")]
    public interface ICircles
    {
        ValueTask<Left.Person> Exchange(Right.House house);

        ValueTask<Left.Key> Open(Right.Lock door);
    }
}

namespace Mux.Description.Tests.Circles.Left
{
    /// <summary>In a circle with a house, so both are in one package.</summary>
    [DataContract]
    public sealed class Person
    {
        [DataMember(Order = 1)] public Right.House? Home { get; set; }
    }

    /// <summary>Named by a lock, which a door of this package names.</summary>
    [DataContract]
    public sealed class Key
    {
        [DataMember(Order = 1)] public int Number { get; set; }
    }

    [DataContract]
    public sealed class Door
    {
        [DataMember(Order = 1)] public Right.Lock? Lock { get; set; }
    }
}

namespace Mux.Description.Tests.Circles.Right
{
    [DataContract]
    public sealed class House
    {
        [DataMember(Order = 1)] public Left.Person? Owner { get; set; }

        [DataMember(Order = 2)] public Left.Door? Door { get; set; }
    }

    [DataContract]
    public sealed class Lock
    {
        [DataMember(Order = 1)] public Left.Key? Key { get; set; }
    }
}
