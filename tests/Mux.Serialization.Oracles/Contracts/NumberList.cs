namespace Mux.Serialization.Oracles.Contracts;

public sealed class NumberList : List<int>;
