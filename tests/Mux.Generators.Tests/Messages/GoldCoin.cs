namespace Mux.Generators.Tests.Messages;

public sealed record GoldCoin(int Cents, string? Currency, int Carat) : Coin(Cents, Currency);
