// The contract is a vendor's .proto file: see <MuxProto> in Payments.csproj. IPayments and the messages are made in the build.
using Acme;
using Acme.Payments;
using Mux;
using Payments;

var service = new PaymentService();
await using var server = new MuxServer("mux://127.0.0.1:0").AddService<IPayments>(service).AddService<IReceipts>(service);
server.Start();

await using var channel = await MuxChannel.ConnectAsync(server.Address.ToString());
var payments = channel.CreateProxy<IPayments>();

await payments.Charge(new ChargeRequest
{
    OrderId = "tea",
    Amount = new Money { Currency = "EUR", Units = 12, Nanos = 500_000_000 },
    Card = new Card { Token = "4242" }, // sets the oneof; Iban would clear it again
    Labels = { ["shop"] = "Berlin" },
});
await payments.Charge(new ChargeRequest
{
    OrderId = "cups",
    Amount = new Money { Currency = "EUR", Units = 80 },
    Card = new Card(),
    Note = "", // is sent: an optional field tells the empty text from none
});

await foreach (var receipt in payments.List(new ListRequest()))
{
    Console.WriteLine($"{receipt.Number}. {receipt.OrderId}: {receipt.Status}, {receipt.Labels.Count} labels, {(receipt.Note is null ? "no note" : "a note")}");
}

var paid = await channel.CreateProxy<IReceipts>().LatestAsync(Receipt.Types.Status.Paid);
Console.WriteLine($"The latest one that is paid: {paid.OrderId}");

try
{
    await payments.Charge(new ChargeRequest { OrderId = "milk", Amount = new Money { Currency = "EUR", Units = 1 } });
}
catch (MuxException error)
{
    Console.WriteLine($"{error.Status}: {error.Message}");
}
